// What all files of a process share and stop at its end: loaded before the first of them, whose
// hooks those would otherwise be.
import "./engines/clickhouse-database.ts";
import "./engines/postgres-database.ts";
import "./engines/redis-database.ts";
import "./process-end.ts";
import "./random-seed.ts";
