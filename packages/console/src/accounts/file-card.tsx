import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useAccount } from "../data/account.ts";
import { repliesOf } from "../data/queries.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { saveFile, told } from "../parts/save.ts";
import { workspaceYaml } from "./draft.ts";
import { useWorkspaceFile } from "./queries.ts";
import { ReviewDialog } from "./review-dialog.tsx";
import css from "./tracked.module.css";

/** The workspace file, to take away and to bring. */
export function FileCard({ mayChange }: { readonly mayChange: boolean }) {
  const { data } = useWorkspaceFile();
  const [uploaded, setUploaded] = useState<{ name: string; text: string } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const account = useAccount();
  const queries = useQueryClient();
  const refetch = () => queries.refetchQueries({ queryKey: repliesOf(account, "workspaceFile") });
  const take = async (file: File | undefined) => {
    try {
      if (file !== undefined) setUploaded({ name: file.name, text: await textOf(file) });
    } finally {
      if (input.current !== null) input.current.value = "";
    }
  };
  return (
    <Card
      title="Workspace file"
      text="The whole workspace as one YAML file, for version control or bulk edits."
      padded
    >
      <div className={css["row"]}>
        <Button
          icon="download"
          disabled={data === undefined}
          onClick={() => {
            if (data === undefined) return;
            const content = new Blob([workspaceYaml(data.file)], { type: "application/yaml" });
            saveFile("workspace.yaml", content);
          }}
        >
          Download
        </Button>
        {mayChange ? (
          <>
            <input
              ref={input}
              type="file"
              className="visually-hidden"
              accept=".yaml,.yml,.json"
              aria-label="Workspace file"
              tabIndex={-1}
              onChange={({ target }) => told(take(target.files?.[0]))}
            />
            <Button icon="upload" onClick={() => input.current?.click()}>
              Upload
            </Button>
          </>
        ) : null}
        <a href="/docs/guide/workspace-file" target="_blank" rel="noreferrer">
          How it is written
        </a>
      </div>
      {uploaded === null ? null : (
        <ReviewDialog
          title={`What ${uploaded.name} changes`}
          file={uploaded.text}
          etag={data?.etag ?? null}
          placeOf={(path) => (path === "" ? "The file" : path)}
          onConflict={refetch}
          onSaved={() => {
            setUploaded(null);
            void refetch();
          }}
          onClose={() => setUploaded(null)}
        />
      )}
    </Card>
  );
}

/** The text of a file. @throws Error when it is of another encoding: names would be damaged. */
async function textOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file.name} is not UTF-8. Save it as UTF-8, and upload it again.`);
  }
}
