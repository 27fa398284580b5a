import { workspacePath } from "@sightline/contract";
import type { AccountRoute } from "../../../http/route.ts";
import { parseWorkspaceRequest } from "./workspace-now.ts";

/** GET /v1/workspace, an addition to the interface: what a client needs to offer filters. */
export const workspaceRoute: AccountRoute = {
  access: "session",
  scope: "read",
  method: "GET",
  path: workspacePath,
  parse: parseWorkspaceRequest,
};
