import type { PortrayalFlag } from "./cue-table.ts";

/** How often the reader finds a flag, and is right, in labelled texts that were kept apart. */
export interface FlagAccuracy {
  /** Of the pairs (answer, entity) in which the reader finds the flag, the share that is right. */
  readonly precision: number;
  /** Of the pairs that are labelled with the flag, the share in which the reader finds it. */
  readonly recall: number;
  /** The pairs that are labelled with the flag. */
  readonly labelled: number;
  /** Real answers, or texts of the project's own, which say less. */
  readonly basis: "answers" | "texts";
}

/** By language and flag. */
type Accuracy = Readonly<Record<string, Readonly<Partial<Record<PortrayalFlag, FlagAccuracy>>>>>;

// Written by tasks/accuracy.
/**
 * How the reader does, by language and flag; a flag that is missing was not measured. The
 * guide, docs/guide/accuracy.md, has the counts.
 */
export const portrayalAccuracy: Accuracy = {
  en: {
    recommended: {
      precision: 1,
      recall: 0.944,
      labelled: 18,
      basis: "answers",
    },
    praised: {
      precision: 0.957,
      recall: 0.957,
      labelled: 23,
      basis: "answers",
    },
    criticized: {
      precision: 0.9,
      recall: 0.9,
      labelled: 10,
      basis: "answers",
    },
    discouraged: {
      precision: 1,
      recall: 0.5,
      labelled: 2,
      basis: "texts",
    },
    notFound: {
      precision: 0,
      recall: 0,
      labelled: 1,
      basis: "texts",
    },
  },
  de: {
    recommended: {
      precision: 1,
      recall: 0.5,
      labelled: 8,
      basis: "texts",
    },
    praised: {
      precision: 0.667,
      recall: 0.4,
      labelled: 5,
      basis: "texts",
    },
    criticized: {
      precision: 1,
      recall: 0.778,
      labelled: 9,
      basis: "texts",
    },
    discouraged: {
      precision: 1,
      recall: 1,
      labelled: 1,
      basis: "texts",
    },
    notFound: {
      precision: 1,
      recall: 1,
      labelled: 1,
      basis: "texts",
    },
  },
  fr: {
    recommended: {
      precision: 1,
      recall: 0.857,
      labelled: 7,
      basis: "texts",
    },
    praised: {
      precision: 1,
      recall: 0.5,
      labelled: 6,
      basis: "texts",
    },
    criticized: {
      precision: 1,
      recall: 0.667,
      labelled: 9,
      basis: "texts",
    },
    discouraged: {
      precision: 0,
      recall: 0,
      labelled: 1,
      basis: "texts",
    },
    notFound: {
      precision: 1,
      recall: 1,
      labelled: 1,
      basis: "texts",
    },
  },
  es: {
    recommended: {
      precision: 1,
      recall: 0.714,
      labelled: 7,
      basis: "texts",
    },
    praised: {
      precision: 1,
      recall: 0.333,
      labelled: 6,
      basis: "texts",
    },
    criticized: {
      precision: 1,
      recall: 0.778,
      labelled: 9,
      basis: "texts",
    },
    discouraged: {
      precision: 0,
      recall: 0,
      labelled: 1,
      basis: "texts",
    },
    notFound: {
      precision: 1,
      recall: 1,
      labelled: 1,
      basis: "texts",
    },
  },
  ja: {
    recommended: {
      precision: 1,
      recall: 1,
      labelled: 8,
      basis: "texts",
    },
    praised: {
      precision: 0.75,
      recall: 0.6,
      labelled: 5,
      basis: "texts",
    },
    criticized: {
      precision: 1,
      recall: 0.667,
      labelled: 9,
      basis: "texts",
    },
    discouraged: {
      precision: 1,
      recall: 1,
      labelled: 1,
      basis: "texts",
    },
    notFound: {
      precision: 1,
      recall: 1,
      labelled: 1,
      basis: "texts",
    },
  },
};
// End of what is written.
