import { standInCredentials } from "@sightline/stand-in";
import { Collection } from "../../src/collection/collection.ts";
import { Credentials } from "../../src/collection/config.ts";
import { builtInPrices } from "../../src/collection/price-list.ts";
import { Prices } from "../../src/collection/prices.ts";
import { adapters } from "../../src/collection/vendors/index.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { repeat } from "../../src/platform/repeat.ts";
import { openStorage } from "../../src/storage.ts";

// DATADIR STANDIN CONCURRENCY: asks for what is due in a data folder, next to its server, until it
// is killed.
const [dataDir = "", standIn = "", concurrency = ""] = process.argv.slice(2);
const { control, answers, clock, secretBox } = await openStorage(dataDir);
const logger = createLogger("error");
const collection = new Collection({
  control,
  answers,
  secretBox,
  adapters,
  standIn,
  clock,
  logger,
  random: Math.random,
  credentials: new Credentials(standInCredentials),
  concurrency: Number(concurrency),
  prices: new Prices(builtInPrices),
});
repeat(logger, collection.works());
process.stdout.write("collecting\n");
