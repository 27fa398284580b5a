import { Retention } from "../../src/answers/retention/retention.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { openStorage } from "../../src/storage.ts";

// DATADIR DAYS: removes the texts of a data folder that are older, as a service does, and ends.
const [dataDir = "", days = ""] = process.argv.slice(2);
const { control, clock, close } = await openStorage(dataDir);
const logger = createLogger("error");
const records = { dataDir };
const keep = { keepTexts: Number(days), keepRaw: Number(days) };
const retention = new Retention({ records, control, clock, logger, ...keep });
await retention.removeDue();
await retention.close();
await close();
