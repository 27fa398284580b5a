import { logLevels } from "./platform/logger.ts";

/** One setting of the service: a flag, an environment variable, a default. */
export interface Setting {
  /** The name of its value in the configuration. */
  readonly name: string;
  readonly flag: string;
  readonly environment: string;
  /** The variable with the path of a file that holds the value instead, for it has a secret. */
  readonly fileEnvironment?: `${string}_FILE`;
  readonly description: string;
  readonly default: string;
}

/** Every setting that exists, in the order of docs/guide/settings.md. */
export const allSettings = [
  {
    name: "dataDir",
    flag: "--data-dir",
    environment: "SIGHTLINE_DATA_DIR",
    description: "Data folder, without ? in its path; created when absent.",
    default: "./data",
  },
  {
    name: "host",
    flag: "--host",
    environment: "SIGHTLINE_HOST",
    description: "Address to listen on.",
    default: "127.0.0.1",
  },
  {
    name: "port",
    flag: "--port",
    environment: "SIGHTLINE_PORT",
    description: "Port to listen on, 0 to 65535; 0 picks a free port.",
    default: "8080",
  },
  {
    name: "sessionTtlSeconds",
    flag: "--session-ttl-seconds",
    environment: "SIGHTLINE_SESSION_TTL_SECONDS",
    description: "Lifetime of a session token in seconds, 60 to 3600.",
    default: "600",
  },
  {
    name: "questionSeconds",
    flag: "--question-seconds",
    environment: "SIGHTLINE_QUESTION_SECONDS",
    description:
      "Time that a question or a list may take, with its wait in the queue, in seconds, 1 to 600.",
    default: "10",
  },
  {
    name: "issuer",
    flag: "--issuer",
    environment: "SIGHTLINE_ISSUER",
    description: "The `iss` claim of session tokens: letters, digits and `._~:/-`.",
    default: "sightline",
  },
  {
    name: "logLevel",
    flag: "--log-level",
    environment: "SIGHTLINE_LOG_LEVEL",
    description: `One of ${logLevels.join(", ")}.`,
    default: "info",
  },
  {
    name: "rateLimit",
    flag: "--rate-limit",
    environment: "SIGHTLINE_RATE_LIMIT",
    description:
      "Calls per second per key, such as 20/s (1 to 10000; bursts of twice that), or off.",
    default: "20/s",
  },
  {
    name: "dailyQuota",
    flag: "--daily-quota",
    environment: "SIGHTLINE_DAILY_QUOTA",
    description: "Calls per key and UTC day, 1 to 1000000000, or off.",
    default: "100000",
  },
  {
    name: "openAccounts",
    flag: "--open-accounts",
    environment: "SIGHTLINE_OPEN_ACCOUNTS",
    description: "Accounts with an open engine, 1 to 10000; the least recently used are closed.",
    default: "100",
  },
  {
    name: "replyCache",
    flag: "--reply-cache",
    environment: "SIGHTLINE_REPLY_CACHE",
    description: "Size of the reply cache, 1MB to 4096MB, or off.",
    default: "64MB",
  },
  {
    name: "keepTexts",
    flag: "--keep-texts",
    environment: "SIGHTLINE_KEEP_TEXTS",
    description:
      "Age from which texts of answers are removed for good while the answers count on, 1d to " +
      "36500d, or off.",
    default: "off",
  },
  {
    name: "keepRaw",
    flag: "--keep-raw",
    environment: "SIGHTLINE_KEEP_RAW",
    description: "Age from which vendors' raw replies are removed for good, 1d to 36500d, or off.",
    default: "90d",
  },
  {
    name: "signingKeyDays",
    flag: "--signing-key-days",
    environment: "SIGHTLINE_SIGNING_KEY_DAYS",
    description: "Days after which the session signing key is rotated, 1 to 3650.",
    default: "90",
  },
  {
    name: "trustedProxies",
    flag: "--trusted-proxies",
    environment: "SIGHTLINE_TRUSTED_PROXIES",
    description:
      "Comma-separated IPs or CIDR ranges (10.0.0.0/8) of trusted proxies (X-Forwarded-For).",
    default: "",
  },
  {
    name: "corsOrigins",
    flag: "--cors-origins",
    environment: "SIGHTLINE_CORS_ORIGINS",
    description:
      "Comma-separated origins (https://app.example.com) that may call the API in browsers.",
    default: "",
  },
  {
    name: "allowedHosts",
    flag: "--allowed-hosts",
    environment: "SIGHTLINE_ALLOWED_HOSTS",
    description: "Comma-separated host names (api.example.com), without ports, that are served.",
    default: "",
  },
  {
    name: "publicUrl",
    flag: "--public-url",
    environment: "SIGHTLINE_PUBLIC_URL",
    description:
      "Where people reach the service, such as https://sightline.example.com: what the addresses " +
      "in invitations and messages begin with.",
    default: "",
  },
  {
    name: "personHeader",
    flag: "--person-header",
    environment: "SIGHTLINE_PERSON_HEADER",
    description:
      "Header field in which a trusted proxy sends the e-mail address of the person who is " +
      "signed in to it, such as X-Forwarded-Email.",
    default: "",
  },
  {
    name: "oidcIssuer",
    flag: "--oidc-issuer",
    environment: "SIGHTLINE_OIDC_ISSUER",
    description: "Address of an OpenID Connect provider that signs people in.",
    default: "",
  },
  {
    name: "oidcClientId",
    flag: "--oidc-client-id",
    environment: "SIGHTLINE_OIDC_CLIENT_ID",
    description: "How that provider calls this service.",
    default: "",
  },
  {
    name: "console",
    flag: "--console",
    environment: "SIGHTLINE_CONSOLE",
    description: "The console at /, and signing in to it: on or off.",
    default: "on",
  },
  {
    name: "clickhouseUrl",
    flag: "--clickhouse-url",
    environment: "SIGHTLINE_CLICKHOUSE_URL",
    description:
      "Address of ClickHouse (http://user:password@host:8123/database), or the comma-separated " +
      "addresses of its nodes, for answers and facts; with a PostgreSQL address.",
    default: "",
  },
  {
    name: "clickhouseCluster",
    flag: "--clickhouse-cluster",
    environment: "SIGHTLINE_CLICKHOUSE_CLUSTER",
    description: "Cluster of ClickHouse's configuration that shards accounts: letters, digits, _.",
    default: "",
  },
  {
    name: "clickhouseReplicated",
    flag: "--clickhouse-replicated",
    environment: "SIGHTLINE_CLICKHOUSE_REPLICATED",
    description: "Replicated tables on each shard of the cluster: on or off.",
    default: "off",
  },
  {
    name: "postgresUrl",
    flag: "--postgres-url",
    environment: "SIGHTLINE_POSTGRES_URL",
    description:
      "Address of PostgreSQL (postgres://user:password@host:5432/database) for accounts and " +
      "keys; with a ClickHouse address.",
    default: "",
  },
  {
    name: "redisUrl",
    flag: "--redis-url",
    environment: "SIGHTLINE_REDIS_URL",
    description: "Address of Redis or Valkey (redis://host:6379) for limits shared by all nodes.",
    default: "",
  },
  {
    name: "redisDown",
    flag: "--redis-down",
    environment: "SIGHTLINE_REDIS_DOWN",
    description: "Calls while Redis is unavailable: local (each node limits) or refuse (503).",
    default: "local",
  },
  {
    name: "hooksToPrivate",
    flag: "--hooks-to-private",
    environment: "SIGHTLINE_HOOKS_TO_PRIVATE",
    description: "Webhooks to private addresses, also over http: on or off.",
    default: "off",
  },
  {
    name: "smtpUrl",
    flag: "--smtp-url",
    environment: "SIGHTLINE_SMTP_URL",
    fileEnvironment: "SIGHTLINE_SMTP_URL_FILE",
    description:
      "Address of the SMTP server that takes mails (smtps://user:password@host:465, or smtp:// " +
      "for STARTTLS; ?starttls=off for clear text); with a sender.",
    default: "",
  },
  {
    name: "mailFrom",
    flag: "--mail-from",
    environment: "SIGHTLINE_MAIL_FROM",
    description: "Sender of mails, such as Sightline <reports@example.com>; with an SMTP server.",
    default: "",
  },
  {
    name: "collect",
    flag: "--collect",
    environment: "SIGHTLINE_COLLECT",
    description: "Asking vendors whose credentials are set, on this node: on or off.",
    default: "on",
  },
  {
    name: "collectConcurrency",
    flag: "--collect-concurrency",
    environment: "SIGHTLINE_COLLECT_CONCURRENCY",
    description: "Requests to a vendor at a time, on this node, 1 to 64.",
    default: "16",
  },
  {
    name: "vendorStandIn",
    flag: "--vendor-stand-in",
    environment: "SIGHTLINE_VENDOR_STAND_IN",
    description: "Address on this machine (http://127.0.0.1:8090) that is asked for all vendors.",
    default: "",
  },
  {
    name: "pricesFile",
    flag: "--prices",
    environment: "SIGHTLINE_PRICES_FILE",
    description: "File (YAML or JSON) of vendors' prices that take precedence over the list's.",
    default: "",
  },
  {
    name: "readerUrl",
    flag: "--reader-url",
    environment: "SIGHTLINE_READER_URL",
    description:
      "Address of an endpoint that speaks Chat Completions (https://llm.example/v1), whose model " +
      "reads answers.",
    default: "",
  },
  {
    name: "readerModel",
    flag: "--reader-model",
    environment: "SIGHTLINE_READER_MODEL",
    description: "The model that reads answers, as the endpoint names it.",
    default: "",
  },
  {
    name: "readerPrice",
    flag: "--reader-price",
    environment: "SIGHTLINE_READER_PRICE",
    description: "Its price in dollars per million tokens of input/output, such as 0.15/0.60.",
    default: "",
  },
  {
    name: "readerParameters",
    flag: "--reader-parameters",
    environment: "SIGHTLINE_READER_PARAMETERS",
    description:
      "JSON object that each request to it has, with max_tokens or max_completion_tokens; " +
      '{"temperature":0,"max_tokens":4000} unless set.',
    default: "",
  },
  {
    name: "readerToPrivate",
    flag: "--reader-to-private",
    environment: "SIGHTLINE_READER_TO_PRIVATE",
    description: "A reader at a private address, also over http: on or off.",
    default: "off",
  },
] as const satisfies readonly Setting[];
