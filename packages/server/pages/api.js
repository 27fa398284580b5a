// Sets the library of the API page up; it runs before the library, which is deferred. All that would
// leave this service is off: fonts, measuring, the assistant, the proxy, links to accounts.
// The library's validation would try eval, which the page's policy forbids, and go on without.
globalThis.__zod_globalConfig = { jitless: true };

addEventListener("DOMContentLoaded", async () => {
  const content = await (await fetch("/openapi.json")).json();
  // Of a schema with "not" the library shows that instead of the fields. Which filters exclude each
  // other stands in their descriptions too.
  for (const schema of Object.values(content.components.schemas)) delete schema.not;
  // The library lists events under "Webhooks"; the operations that manage them are another group.
  const renamed = (tag) => (tag === "Webhooks" ? "Manage webhooks" : tag);
  for (const tag of content.tags) tag.name = renamed(tag.name);
  for (const operations of Object.values(content.paths)) {
    for (const operation of Object.values(operations))
      operation.tags = operation.tags?.map(renamed);
  }
  globalThis.Scalar.createApiReference("#reference", {
    content,
    // The document says "/", to which the library would append paths that begin with a slash.
    servers: [{ url: location.origin }],
    proxyUrl: "",
    externalUrls: { dashboardUrl: "", registryUrl: "", proxyUrl: "", apiBaseUrl: "" },
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    hideDarkModeToggle: true,
    forceDarkModeState: theme(),
    showDeveloperTools: "never",
    documentDownloadType: "none",
    persistAuth: false,
    orderSchemaPropertiesBy: "preserve",
    operationTitleSource: "summary",
    expandAllSchemaProperties: true,
  });
  // The library looks at classes of the body.
  const show = () => {
    document.body.classList.toggle("dark-mode", theme() === "dark");
    document.body.classList.toggle("light-mode", theme() === "light");
  };
  show();
  addEventListener("sightline-theme", show);
  system.addEventListener("change", show);
});

const system = matchMedia("(prefers-color-scheme: dark)");

function theme() {
  return document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light");
}
