/** The query of an address; parameters that are undefined are left out. */
export function queryOf(
  parameters: Readonly<Record<string, string | undefined>>,
): "" | `?${string}` {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
}
