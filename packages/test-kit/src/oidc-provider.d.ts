/** As much of the package as tests use. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, reply: ServerResponse) => void;
  }
}
