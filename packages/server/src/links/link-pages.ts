/** A text inside an element or an attribute; what XML cannot have is left out. */
export function escapedText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** A page of few words that stands by itself. */
interface PlainPage {
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

function plainPage({ title, body }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapedText(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapedText(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

const style = `
:root { color-scheme: light dark }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: #f6f7f8; color: #1c2024 }
main { box-sizing: border-box; max-width: 30rem; margin: 12vh auto 0; padding: 2rem;
background: #fff; border: 1px solid #e3e6ea; border-radius: 12px }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3; overflow-wrap: anywhere }
p { margin: 0 0 1rem } label { display: block; margin-bottom: .375rem; font-weight: 600 }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: .625rem .75rem;
border-radius: 8px; border: 1px solid #6b7480; background: transparent; color: inherit }
button { margin-top: 1rem; border-color: #1f5eff; background: #1f5eff; color: #fff;
font-weight: 600; cursor: pointer } .fault { color: #b3261e; font-weight: 600 }
:focus-visible { outline: 3px solid #7aa2ff; outline-offset: 2px }
@media (prefers-color-scheme: dark) {
body { background: #0f1114; color: #eef0f2 } main { background: #15181c; border-color: #2c3138 }
input { border-color: #8b94a0 } .fault { color: #ffb4ab }
}
`;

/** The form that asks for a link's password; it says nothing of what is behind. */
export function passwordPage({ isWrong }: { readonly isWrong: boolean }): string {
  const fault = isWrong ? '\n<p class="fault" id="fault">This is not the password.</p>' : "";
  const described = isWrong ? ' aria-describedby="fault" aria-invalid="true"' : "";
  return plainPage({
    title: "This page has a password",
    body: `<p>Type the password that came with the link.</p>${fault}
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required \
autofocus${described}>
<button>Show the page</button>
</form>`,
  });
}

/** What stands in place of what a link shows. */
export function failurePage({ title, text }: { readonly title: string; readonly text: string }) {
  return plainPage({ title, body: `<p>${escapedText(text)}</p>` });
}
