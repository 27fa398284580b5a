// Without what opens workbooks: a page that imports a name from here must not load their reader.
export * from "./delimited-text.ts";
export * from "./guess.ts";
export * from "./local-time.ts";
export * from "./map-rows.ts";
export * from "./mapping.ts";
export * from "./provider-names.ts";
export * from "./questions.ts";
export * from "./rows.ts";
