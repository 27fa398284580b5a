import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readRealAnswers, readTexts } from "./labels.ts";
import { type NamesScore, namesBlock, scoreNames } from "./names.ts";
import {
  accuracyModule,
  type PortrayalScores,
  portrayalBlock,
  scoreRealPortrayal,
  scoreTexts,
  tableOfAccuracy,
} from "./portrayal.ts";
import { type Published, page, realBlock, textsBlock, withFigures } from "./report.ts";
import { type Accuracy, mistakesIn, scoreOf } from "./score.ts";

// tasks/accuracy [FOLDER]: scores the rules of extraction against the labels.
const usage = `usage: tasks/accuracy [FOLDER] [OPTION…]
FOLDER holds the labelled real answers: product-recommendations/, portrayal/ and
provider-samples/. Without
it, only the texts of the repository are scored.
options:
  --json       the scores as JSON, instead of tables
  --mistakes   Sightline's mistakes, one by one, instead of tables
  --write      writes bench/accuracy/results.json, the tables in README.md and ${page},
               and the table that the service reads
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    mistakes: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (values.help || positionals.length > 1) {
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}
const real = folder === undefined ? null : readRealAnswers(folder);
if (real === null) {
  const reason = folder === undefined ? "no folder was named" : `they are not in ${folder}`;
  process.stderr.write(`Real answers are not scored: ${reason}.\n`);
  if (folder !== undefined) process.exit(1);
}
const texts = readTexts();
if (values.mistakes) {
  for (const mistake of mistakesIn([...(real ?? []), ...texts])) {
    process.stdout.write(`${JSON.stringify(mistake)}\n`);
  }
} else {
  const portrayal = {
    realAnswers: folder === undefined ? null : scoreRealPortrayal(folder),
    texts: scoreTexts(),
  };
  const scores = {
    realAnswers: real === null ? null : scoreOf(real),
    texts: scoreOf(texts),
    portrayal,
    names: folder === undefined ? null : scoreNames(folder),
  };
  process.stdout.write(values.json ? `${JSON.stringify(scores, null, 2)}\n` : tables(scores));
  if (values.write) write(scores);
}

interface Scores {
  /** Null: they are not there. */
  readonly realAnswers: Accuracy | null;
  readonly texts: Accuracy;
  readonly portrayal: {
    /** Null: they are not there. */
    readonly realAnswers: PortrayalScores["realAnswers"] | null;
    readonly texts: PortrayalScores["texts"];
  };
  /** Null: the answers are not there. */
  readonly names: NamesScore | null;
}

function tables({ realAnswers, texts: hard, portrayal, names }: Scores): string {
  const real = realAnswers === null ? [] : [...realBlock(realAnswers), ""];
  const listed = names === null ? [] : ["", ...namesBlock(names)];
  const flags = { realAnswers: portrayal.realAnswers ?? [], texts: portrayal.texts };
  return `${[...real, ...textsBlock(hard), "", ...portrayalBlock(flags), ...listed].join("\n")}\n`;
}

/** Results of real answers stay as they were where those are not there. */
function write({ realAnswers, texts: hard, portrayal, names }: Scores): void {
  const root = join(import.meta.dirname, "../..");
  const results = join(import.meta.dirname, "results.json");
  const before = (): Published => JSON.parse(readFileSync(results, "utf8"));
  const published = {
    realAnswers: realAnswers ?? before().realAnswers,
    texts: hard,
    portrayal: {
      realAnswers: portrayal.realAnswers ?? before().portrayal.realAnswers,
      texts: portrayal.texts,
    },
    names: names ?? before().names,
  };
  writeFileSync(results, `${JSON.stringify(published, null, 2)}\n`);
  for (const path of ["README.md", page]) {
    const document = readFileSync(join(root, path), "utf8");
    writeFileSync(join(root, path), withFigures(document, path, published));
  }
  writeFileSync(join(root, tableOfAccuracy), accuracyModule(published.portrayal));
}
