/**
 * The paths of a value's fields with their types, such as `output[message].id string`: the items of
 * an array are distinguished by their own field `type`, where they have one.
 */
export function shapeOf(value: unknown): ReadonlySet<string> {
  const paths = new Set<string>();
  add(value, "", paths);
  return paths;
}

function add(value: unknown, path: string, paths: Set<string>): void {
  if (Array.isArray(value)) {
    paths.add(`${path} array`);
    for (const item of value) add(item, `${path}[${kindOf(item)}]`, paths);
  } else if (typeof value === "object" && value !== null) {
    if (path !== "") paths.add(`${path} object`);
    for (const [name, field] of Object.entries(value)) {
      add(field, path === "" ? name : `${path}.${name}`, paths);
    }
  } else {
    paths.add(`${path} ${value === null ? "null" : typeof value}`);
  }
}

function kindOf(item: unknown): string {
  const hasType = typeof item === "object" && item !== null && "type" in item;
  return hasType && typeof item.type === "string" ? item.type : "";
}
