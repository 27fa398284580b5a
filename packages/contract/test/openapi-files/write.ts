import { writeFileSync } from "node:fs";
import { openApiDocument } from "@sightline/contract";
import { breakingChanges, breakText } from "../breaking-changes/breaking-changes.ts";
import { fileText, pythonPath, readDocument, releasedPath, todayPath } from "./openapi-files.ts";
import { type PythonDocument, pythonModule } from "./python-client.ts";

// What tasks/openapi runs: writes openapi.json, and with --release also what clients of v1 are told
// of from now on.
const unknown = process.argv.slice(2).filter((argument) => argument !== "--release");
if (unknown.length > 0) {
  process.stderr.write(
    `openapi: unknown option ${unknown.join(" ")}. The only option is --release.\n`,
  );
  process.exit(2);
}
const document = openApiDocument();
writeFileSync(todayPath, fileText(document));
writeFileSync(pythonPath, pythonModule(document as object as PythonDocument));
process.stdout.write("wrote openapi.json, and the types and calls of the Python client\n");
const breaks = breakingChanges(readDocument(releasedPath), document);
for (const each of breaks) process.stderr.write(`${breakText(each)}\n`);
if (breaks.length > 0) {
  process.stderr.write("openapi: this breaks clients of v1.\n");
  process.exit(1);
}
if (process.argv.includes("--release")) {
  writeFileSync(releasedPath, fileText(document));
  process.stdout.write("wrote openapi.v1.json\n");
}
