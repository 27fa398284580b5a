import type { TaggedWorkspaceFile } from "@sightline/client";
import type { Question, TableFormat } from "@sightline/sheets";
import type { SheetHead, SheetReading } from "@sightline/sheets/sheet-file";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useWorkspaceFile } from "../accounts/queries.ts";
import { countOf, countText } from "../data/format.ts";
import { askBeforeLeaving } from "../data/leaving.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import { saveFile } from "../parts/save.ts";
import { CheckStep } from "./sheet-check.tsx";
import { ColumnsStep } from "./sheet-columns.tsx";
import {
  draftOf,
  formatOf,
  mappingOf,
  missingOf,
  nothingAnswered,
  type Proposed,
  proposedOf,
  type SheetDraft,
} from "./sheet-draft.ts";
import { FoundPrompts } from "./sheet-prompts.tsx";
import { QuestionsStep, unanswered } from "./sheet-questions.tsx";
import { type OpenedFiles, SheetThread } from "./sheet-thread.ts";
import css from "./sheet-wizard.module.css";
import type { UploadedFile } from "./uploads.ts";

interface SheetWizardProps {
  /** A table, or those of one export. */
  readonly files: readonly File[];
  readonly onImport: (file: UploadedFile) => void;
  readonly onClose: () => void;
}

/** Says how a table of a spreadsheet is read, shows what it becomes, and hands over its answers. */
export function SheetWizard({ files, onImport, onClose }: SheetWizardProps) {
  const sheet = useSheet(files);
  const [{ name } = { name: "" }, ...others] = files;
  const shownName = others.length === 0 ? name : `${name} and ${countText(others.length)} more`;
  const [isLeaving, setLeaving] = useState(false);
  const { draft, step, missing, reading } = sheet;
  useEffect(() => {
    askBeforeLeaving("sheet", true);
    return () => askBeforeLeaving("sheet", false);
  }, []);
  // The button that was pressed may be gone: a reader goes on from the title of the next step.
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    document.querySelector<HTMLElement>("dialog[open] [data-title]")?.focus();
  }, [step]);
  const isOfPrompts = sheet.opened?.source?.hasAnswers === false;
  const leave = () => (draft === null || isLeaving || isOfPrompts ? onClose() : setLeaving(true));
  const finish = () => {
    if (reading === null) return;
    const { content, rowNumbers } = reading;
    onImport({ name: shownName, content, rowNumbers });
  };
  return (
    <Dialog
      title={`Import ${shownName}`}
      about={isOfPrompts ? ofPrompts : stepTexts[step]}
      onClose={leave}
      drawer
      foot={
        isLeaving ? (
          <Leaving onStay={() => setLeaving(false)} onLeave={onClose} />
        ) : (
          <Foot sheet={sheet} onClose={leave} onImport={finish} />
        )
      }
    >
      <div className={css["wizard"]} aria-busy={sheet.isBusy}>
        <StepOf sheet={sheet} />
        {missing.length === 0 ? null : (
          <p className={css["fault"]} role="alert">
            Choose these first: {missing.join(", ")}.
          </p>
        )}
        <Refused error={sheet.failure} />
      </div>
    </Dialog>
  );
}

/** The steps: what the columns are, what the table does not tell, and what it becomes. */
type Step = "columns" | "questions" | "check";

const ofPrompts = "Check which prompts are to be tracked.";

const stepTexts: Readonly<Record<Step, string>> = {
  columns: "Check how the file is read and what its columns are.",
  questions: "The file does not tell these. Nothing is guessed.",
  check: "Check the answers as they will be recorded.",
};

function StepOf({ sheet }: { readonly sheet: Sheet }) {
  const { opened, head, draft, step, reading, change } = sheet;
  if (opened === null || head === null || draft === null) {
    return sheet.failure === null ? <p role="status">Reading the file …</p> : null;
  }
  const { source } = opened;
  if (source?.hasAnswers === false) {
    return sheet.workspace === undefined ? null : (
      <FoundPrompts {...source} workspace={sheet.workspace} onAdded={sheet.findAgain} />
    );
  }
  if (step === "columns") {
    return <ColumnsStep {...{ opened, head, draft }} onChange={change} onFormat={sheet.reformat} />;
  }
  if (reading === null) return <p role="status">Reading the table …</p>;
  if (step === "questions") {
    return <QuestionsStep questions={sheet.asked} draft={draft} onChange={change} />;
  }
  return (
    <CheckStep
      {...{ reading, draft }}
      workspace={sheet.workspace}
      onChange={change}
      onAdded={sheet.readAgain}
    />
  );
}

interface FootProps {
  readonly sheet: Sheet;
  readonly onClose: () => void;
  readonly onImport: () => void;
}

function Foot({ sheet, onClose, onImport }: FootProps) {
  const { draft, step, reading, isBusy, isChanged, next, back } = sheet;
  const answers = reading?.answersCount ?? 0;
  if (sheet.opened?.source?.hasAnswers === false) return <Button onClick={onClose}>Close</Button>;
  const buttons: ReactNode[] = [
    <Button key="cancel" onClick={onClose}>
      Cancel
    </Button>,
  ];
  if (step !== "columns") {
    buttons.push(
      <Button key="back" disabled={isBusy} onClick={back}>
        Back
      </Button>,
    );
  }
  if (step === "check" && draft !== null) {
    const save = () => saveFile("mapping.json", mappingFile(draft));
    buttons.push(
      <Button key="save" onClick={save}>
        Save the mapping
      </Button>,
    );
  }
  if (step !== "check" || isChanged) {
    buttons.push(
      <Button key="next" kind="primary" disabled={isBusy || draft === null} onClick={next}>
        {step === "check" ? "Check again" : "Next"}
      </Button>,
    );
  } else {
    buttons.push(
      <Button key="import" kind="primary" disabled={isBusy || answers === 0} onClick={onImport}>
        {`Import ${countOf(answers, "answer")}`}
      </Button>,
    );
  }
  return buttons;
}

/** For `sightline import --map`. Cells that were mended are of this table, not of the next one. */
function mappingFile(draft: SheetDraft): Blob {
  const text = `${JSON.stringify(mappingOf(draft), null, 2)}\n`;
  return new Blob([text], { type: "application/json" });
}

interface LeavingProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function Leaving({ onStay, onLeave }: LeavingProps) {
  return (
    <>
      <p className={css["leaving"]} role="alert">
        Close without importing? What you said about the file is lost.
      </p>
      <Button onClick={onStay}>Keep it open</Button>
      <Button kind="danger" onClick={onLeave}>
        Close without importing
      </Button>
    </>
  );
}

type Sheet = ReturnType<typeof useSheet>;

/** A file as the worker reads it, what was said about it, and the step that its reader is at. */
function useSheet(files: readonly File[]) {
  const thread = useRef<SheetThread | null>(null);
  // Without the tracked prompts, those that are not tracked could not be named.
  const { data: workspace, isPending, refetch } = useWorkspaceFile();
  const [opened, setOpened] = useState<OpenedFiles | null>(null);
  const [head, setHead] = useState<SheetHead | null>(null);
  const [draft, setDraft] = useState<SheetDraft | null>(null);
  const [reading, setReading] = useState<SheetReading | null>(null);
  const [step, setStep] = useState<Step>("columns");
  // What was answered stays among the questions: an answer may be changed.
  const [asked, setAsked] = useState<readonly Question[]>([]);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [isChanged, setChanged] = useState(false);
  const { isWorking, failure, run } = useWork();
  const isBusy = isWorking || isPending;
  useEffect(() => {
    const own = new SheetThread();
    thread.current = own;
    void run(async () => {
      const found = await own.open(files);
      const first = await own.head(formatOf(found));
      setOpened(found);
      setHead(first);
      setDraft(draftOf(formatOf(found), first, proposedOf(found)));
    });
    return () => own.close();
  }, [files, run]);
  const reformat = (format: TableFormat, chosen: Proposed) =>
    void run(async () => {
      const first = await thread.current?.head(format);
      if (first === undefined) return;
      const proposed = (draft?.proposed ?? []).filter((each) => each !== chosen);
      setHead(first);
      setDraft(draftOf(format, first, proposed));
      setAsked([]);
    });
  const change = (part: Partial<SheetDraft>) => {
    const isOther = part.fields !== undefined || part.headerRow !== undefined;
    const own = isOther ? { ...part, ...nothingAnswered } : part;
    setDraft((before) => (before === null ? null : { ...before, ...own }));
    if (isOther) setAsked([]);
    setMissing([]);
    setChanged(true);
  };
  const next = () => {
    if (draft === null) return;
    const open = step === "questions" ? unanswered(asked, draft) : [];
    const faults = step === "columns" ? missingOf(draft) : open;
    setMissing(faults);
    if (faults.length > 0) return;
    void run(() => readWith(draft, workspace));
  };
  const readWith = async (said: SheetDraft, tracked: TaggedWorkspaceFile | undefined) => {
    const prompts = tracked?.file.prompts.map(({ text }) => text) ?? null;
    const read = await thread.current?.read(mappingOf(said), said.edits, prompts);
    if (read === undefined) return;
    setReading(read);
    setAsked((before) => [...before, ...read.questions]);
    setChanged(false);
    setStep(read.questions.length > 0 ? "questions" : "check");
  };
  /** Reads the table once more, when other prompts are tracked. */
  const readAgain = () =>
    void run(async () => {
      const { data } = await refetch();
      if (draft !== null) await readWith(draft, data);
    });
  const back = () => {
    setMissing([]);
    setStep(step === "check" && asked.length > 0 ? "questions" : "columns");
  };
  const known = { opened, head, draft, reading, asked, workspace };
  const state = { step, missing, isChanged, isBusy, failure };
  const findAgain = () => void refetch();
  return Object.assign(known, state, { reformat, change, next, back, readAgain, findAgain });
}

/** One thing after the other, and what the last one failed with. */
function useWork() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const isOver = useRef(false);
  const [run] = useState(() => async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      if (!isOver.current) setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  });
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
    };
  }, []);
  return { isWorking: isBusy, failure, run };
}
