import type { CredentialTest, Vendor, VendorCredential } from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAccount } from "../data/account.ts";
import { countOf, dateText, dollarsText } from "../data/format.ts";
import { useChange, useManaged } from "../data/managed.ts";
import { repliesOf } from "../data/queries.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field, inputClass } from "../parts/fields.tsx";
import { ConfirmDialog, FormDialog } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";
import { type Column, Table } from "../parts/table.tsx";
import css from "./credentials.module.css";
import { collectionsName } from "./queries.ts";
import { knownVendors, vendorName } from "./vendor-names.ts";

const name = "vendorCredentials";

interface Row {
  readonly vendor: Vendor;
  /** Undefined: the vendor has no credential. */
  readonly credential: VendorCredential | undefined;
}

/** What is open over the table, and of which vendor. */
interface Opened {
  readonly what: "store" | "test" | "remove";
  readonly vendor: Vendor;
}

/** Which vendors have a credential; the account's own are stored, tested and removed here. */
export function VendorCredentials() {
  const list = useManaged({
    name,
    ask: ({ client }, signal) => client.collections.credentials({ signal }),
  });
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Panel title="Credentials of vendors" query={list} flush minHeight={320}>
        {(credentials) => (
          <Table
            caption="Credentials of vendors"
            rows={knownVendors.map((vendor): Row => {
              return { vendor, credential: credentials.find((each) => each.vendor === vendor) };
            })}
            keyOf={({ vendor }) => vendor}
            columns={columnsOf(setOpened)}
          />
        )}
      </Panel>
      {opened?.what === "store" ? (
        <StoreDialog
          vendor={opened.vendor}
          onStored={() => setOpened({ what: "test", vendor: opened.vendor })}
          onClose={close}
        />
      ) : null}
      {opened?.what === "test" ? <TestDialog vendor={opened.vendor} onClose={close} /> : null}
      {opened?.what === "remove" ? <RemoveDialog vendor={opened.vendor} onClose={close} /> : null}
    </>
  );
}

function columnsOf(open: (opened: Opened) => void): readonly Column<Row>[] {
  return [
    { key: "vendor", title: "Vendor", cell: ({ vendor }) => vendorName(vendor) },
    { key: "credential", title: "Credential", cell: ({ credential }) => sourceText(credential) },
    {
      key: "actions",
      title: "Actions",
      figure: true,
      cell: ({ vendor, credential }) => {
        const act = (what: Opened["what"], text: string) => (
          <Button
            kind="plain"
            aria-label={`${text}: ${vendorName(vendor)}`}
            onClick={() => open({ what, vendor })}
          >
            {text}
          </Button>
        );
        const isStored = credential !== undefined && credential.storedAt !== null;
        return (
          <span className={css["actions"]}>
            {act("store", isStored ? "Replace" : "Store")}
            {credential === undefined ? null : act("test", "Test")}
            {isStored ? act("remove", "Remove") : null}
          </span>
        );
      },
    },
  ];
}

function sourceText(credential: VendorCredential | undefined): string {
  if (credential === undefined) return "none";
  const { source, storedAt } = credential;
  const stored = storedAt === null ? "" : `stored ${dateText(storedAt, "instant")}`;
  if (source === "stored") return stored;
  return stored === "" ? "set in the environment" : `set in the environment, which wins; ${stored}`;
}

/** What depends on the credentials is fetched again. */
function useForget(): () => void {
  const account = useAccount();
  const queries = useQueryClient();
  return () => {
    for (const each of [name, collectionsName, "estimate"]) {
      void queries.invalidateQueries({ queryKey: repliesOf(account, each) });
    }
  };
}

interface VendorDialogProps {
  readonly vendor: Vendor;
  readonly onClose: () => void;
}

/** Takes a credential to the service. It is in no draft, and no reply brings it back. */
function StoreDialog({
  vendor,
  onStored,
  onClose,
}: VendorDialogProps & { readonly onStored: () => void }) {
  const [secret, setSecret] = useState("");
  const forget = useForget();
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    await client.collections.storeCredential(vendor, secret.trim());
    forget();
    announce("Stored.");
    onStored();
  });
  return (
    <FormDialog
      title={`Credential of ${vendorName(vendor)}`}
      action="Store"
      isReady={!isRunning && secret.trim() !== ""}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <Field
        label={vendor === "dataforseo" ? "Login and password, as login:password" : "API key"}
        hint="Stored encrypted for this account's sweeps alone. It cannot be shown again."
      >
        {(field) => (
          <input
            {...field}
            className={inputClass}
            type="password"
            autoComplete="off"
            spellCheck={false}
            maxLength={4_096}
            // biome-ignore lint/a11y/noAutofocus: the dialog was opened to fill this in
            autoFocus
            value={secret}
            onChange={({ target }) => setSecret(target.value)}
          />
        )}
      </Field>
      <Refused error={failure} />
    </FormDialog>
  );
}

/** Tests for free; a paid question is asked only by the button that says what it costs. */
function TestDialog({ vendor, onClose }: VendorDialogProps) {
  const [tested, setTested] = useState<CredentialTest | null>(null);
  const [isPaid, setPaid] = useState(false);
  const forget = useForget();
  const { failure, isRunning, run } = useChange(async ({ client }) => {
    setTested(await client.collections.testCredential(vendor, isPaid ? { paid: true } : {}));
    // From here on the button is the one that costs.
    setPaid(true);
    if (isPaid) forget();
  });
  const cost = tested?.question;
  return (
    <Dialog
      title={`Test ${vendorName(vendor)}`}
      about="Asks for the vendor's list of models, if it has one, which is free."
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            kind="primary"
            disabled={isRunning || tested?.isValid === false}
            onClick={() => void run()}
          >
            {cost === undefined
              ? "Test for free"
              : `Ask one question for about ${dollarsText(cost.expectedDollars)}`}
          </Button>
        </>
      }
    >
      <div className={css["tested"]} aria-live="polite" aria-busy={isRunning}>
        {tested === null ? null : <Tested tested={tested} />}
        <Refused error={failure} />
      </div>
    </Dialog>
  );
}

function Tested({ tested }: { readonly tested: CredentialTest }) {
  const { isValid, model, isListed, citations, fault, question } = tested;
  const lines = [
    isValid === null
      ? "The vendor has nothing to ask for free: only a question shows whether it is accepted."
      : isValid
        ? "The vendor accepts the credential."
        : "The vendor does not accept the credential.",
    ...(isListed === true ? [`The model ${model} is available.`] : []),
    ...(citations === null
      ? []
      : [`A question was answered, and cites ${countOf(citations, "page")}.`]),
    ...(fault === null ? [] : [fault]),
    ...(isValid === false
      ? []
      : [`One question costs at most ${dollarsText(question.mostDollars)}, and is spending.`]),
  ];
  return (
    <ul className={css["lines"]}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function RemoveDialog({ vendor, onClose }: VendorDialogProps) {
  const forget = useForget();
  const { failure, run } = useChange(async ({ client }) => {
    await client.collections.deleteCredential(vendor);
    forget();
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Remove the credential of ${vendorName(vendor)}?`}
      action="Remove"
      onConfirm={run}
      onClose={onClose}
    >
      <p>Sweeps of this account ask the vendor no longer, unless the environment has one.</p>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}
