import { type Alias, brand, type Company, competitors, topics } from "./market.ts";
import { prompts } from "./prompts.ts";

/** A brand or competitor as the workspace file declares it. */
export interface DemoEntity {
  readonly name: string;
  readonly aliases: readonly Alias[];
  readonly domains: readonly string[];
}

/** The workspace file's shape. Only what the answers refer to has an explicit id. */
export interface DemoWorkspace {
  readonly account: { readonly id: string; readonly name: string };
  readonly brand: DemoEntity;
  readonly competitors: readonly DemoEntity[];
  readonly topics: readonly { readonly name: string }[];
  readonly prompts: readonly {
    readonly id: string;
    readonly text: string;
    readonly topic: string;
    readonly branded: boolean;
  }[];
}

function entityOf({ name, aliases, domains }: Company): DemoEntity {
  return { name, aliases, domains };
}

/** The demo account: Tarnfell, a maker of outdoor equipment, and its market. */
export const demoWorkspace: DemoWorkspace = {
  account: { id: "7a9fe110-de30-4000-8000-000000000001", name: brand.name },
  brand: entityOf(brand),
  competitors: competitors.map(entityOf),
  topics: topics.map((name) => ({ name })),
  prompts: prompts.map(({ id, text, topic, branded }) => ({ id, text, topic, branded })),
};
