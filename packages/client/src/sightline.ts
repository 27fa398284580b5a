import type {
  AppliedWorkspace,
  CreatedAccountResponse,
  DeclaredWorkspaceResponse,
  EvidenceResponse,
  WorkspaceFile,
  WorkspacePreviewRequest,
  WorkspacePreviewResponse,
  WorkspaceResponse,
} from "@sightline/contract";
import { Analytics } from "./analytics.ts";
import { Answers } from "./answers.ts";
import { Audit } from "./audit.ts";
import { createCaller, type TaggedCaller, untagged } from "./calls.ts";
import { Collections } from "./collections.ts";
import { EvidencePages } from "./evidence-pages.ts";
import { Hooks } from "./hooks.ts";
import { Imports } from "./imports.ts";
import { Insights } from "./insights.ts";
import { Keys } from "./keys.ts";
import { Labels } from "./labels.ts";
import { Links } from "./links.ts";
import { type CallOptions, readOptions, type SightlineOptions } from "./options.ts";
import { People } from "./people.ts";
import { bodyOf, type EvidenceQuestion } from "./questions.ts";
import { Reports } from "./reports.ts";

/** A workspace, and the entity tag of what it tracks. */
export interface TaggedWorkspace {
  readonly workspace: WorkspaceResponse;
  /** Null: a service of an older version does not send it. */
  readonly etag: string | null;
}

/** A workspace file as the account has it, and the entity tag of what is tracked. */
export interface TaggedWorkspaceFile {
  /** With every id: applying it changes nothing. */
  readonly file: DeclaredWorkspaceResponse;
  readonly etag: string | null;
}

/** Options of applying a workspace file. */
export interface ApplyOptions extends CallOptions {
  /** The same reply, and nothing is written. */
  readonly dryRun?: boolean;
  /** Only if what is tracked still has this entity tag; PreconditionFailedError otherwise. */
  readonly ifMatch?: string;
}

/**
 * A client of a Sightline service, with one key or one session. Create one and keep it: its calls
 * share a session.
 */
export class Sightline {
  /** The four time series, and the sources. */
  readonly analytics: Analytics;
  /** What these numbers are made of. Additions to the interface. */
  readonly insights: Insights;
  /** What they are counted from. Additions to the interface. */
  readonly answers: Answers;
  /** How they came. Additions to the interface. */
  readonly imports: Imports;
  /** What people say of them. Additions to the interface. */
  readonly labels: Labels;
  /** The account's static keys. Additions to the interface. */
  readonly keys: Keys;
  /** Addresses that show one view without a key. Additions to the interface. */
  readonly links: Links;
  /** The people of the account. Additions to the interface. */
  readonly people: People;
  /** The audit log. Additions to the interface. */
  readonly audit: Audit;
  /** Reports that are made once and kept. Additions to the interface. */
  readonly reports: Reports;
  /** Where the service sends events. Additions to the interface. */
  readonly hooks: Hooks;
  /** Asking the providers. Additions to the interface. */
  readonly collections: Collections;
  readonly #call: TaggedCaller;

  /**
   * Sends nothing yet.
   * @throws InvalidOptionError
   */
  constructor(options: SightlineOptions) {
    this.#call = createCaller(readOptions(options));
    const call = untagged(this.#call);
    this.analytics = new Analytics(call);
    this.insights = new Insights(call);
    this.answers = new Answers(call);
    this.imports = new Imports(call);
    this.labels = new Labels(call);
    this.keys = new Keys(call);
    this.links = new Links(call);
    this.people = new People(call);
    this.audit = new Audit(call);
    this.reports = new Reports(call);
    this.hooks = new Hooks(call);
    this.collections = new Collections(call);
  }

  /**
   * What is tracked and what you can filter by: brand, competitors, topics, prompts, providers and
   * regions. An addition to the interface.
   */
  async workspace(options?: CallOptions): Promise<WorkspaceResponse> {
    return (await this.taggedWorkspace(options)).workspace;
  }

  /** The same, with the entity tag for `ifMatch`. An addition to the interface. */
  async taggedWorkspace(options?: CallOptions): Promise<TaggedWorkspace> {
    const { document, etag } = await this.#call({ method: "GET", path: "/v1/workspace" }, options);
    return { workspace: document as WorkspaceResponse, etag };
  }

  /**
   * What the account tracks as a workspace file, to change and apply with `ifMatch`. An addition to
   * the interface.
   */
  async workspaceFile(options?: CallOptions): Promise<TaggedWorkspaceFile> {
    const call = { method: "GET", path: "/v1/workspace/file" } as const;
    const { document, etag } = await this.#call(call, options);
    return { file: document as DeclaredWorkspaceResponse, etag };
  }

  /**
   * Makes the account track exactly what a workspace file says: an object, or the text of a YAML
   * file. What it omits is retired. The key needs the scope `manage`. An addition to the interface.
   * @returns what changed, with names and ids, and the new entity tag.
   */
  async applyWorkspace(
    file: WorkspaceFile | string,
    { dryRun = false, ifMatch, ...options }: ApplyOptions = {},
  ): Promise<AppliedWorkspace & { readonly etag: string | null }> {
    const isText = typeof file === "string";
    const call = {
      method: "PUT",
      path: `/v1/workspace${dryRun ? "?dryRun=true" : ""}`,
      body: isText ? file : JSON.stringify(file),
      contentType: isText ? "application/yaml" : "application/json",
      // A repeated call would find the tag that it has changed itself.
      ...(ifMatch === undefined ? {} : { ifMatch, isOnce: true }),
    } as const;
    const { document, etag } = await this.#call(call, options);
    return { ...(document as AppliedWorkspace), etag };
  }

  /**
   * How many recorded answers would begin or stop to mention and to cite each entity, were the
   * brand and the competitors these. Nothing is stored. The key needs the scope `manage`. An
   * addition to the interface.
   */
  async previewWorkspace(
    { brand, competitors }: WorkspacePreviewRequest,
    options?: CallOptions,
  ): Promise<WorkspacePreviewResponse> {
    const body = JSON.stringify({ brand, competitors });
    const call = { method: "POST", path: "/v1/workspace/preview", body } as const;
    return (await this.#call(call, options)).document as WorkspacePreviewResponse;
  }

  /**
   * Creates another account that tracks what a workspace file says, without an id, and its first
   * key, which only this reply shows. The client's key needs the scope `accounts`, and stays a key
   * of its own account. It is not retried when it may have arrived. An addition to the interface.
   */
  async createAccount(file: WorkspaceFile, options?: CallOptions): Promise<CreatedAccountResponse> {
    const body = JSON.stringify(file);
    const call = { method: "POST", path: "/v1/accounts", body, isOnce: true } as const;
    return (await this.#call(call, options)).document as CreatedAccountResponse;
  }

  /**
   * The answers behind a value, newest first: `await` it for one page, or iterate over it with
   * `for await` for all of them. Options apply to each page. An addition to the interface.
   */
  evidence(question: EvidenceQuestion, options?: CallOptions): EvidencePages {
    const { cursor: first, ...rest } = question;
    return new EvidencePages(async (cursor) => {
      const body = bodyOf({ ...rest, cursor });
      const call = { method: "POST", path: "/v1/evidence", body } as const;
      return (await this.#call(call, options)).document as EvidenceResponse;
    }, first);
  }
}
