import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Account, useAccount } from "./account.ts";
import { noteFailure } from "./managed.ts";

/** A call that changes something: made once at a time, and what it failed with. */
export interface Call {
  readonly failure: Error | null;
  readonly isRunning: boolean;
  readonly run: () => Promise<void>;
  /** Forgets the failure, such as before something else is tried. */
  readonly forget: () => void;
}

/** A call to the service in the account's name; what `make` does after its reply is part of it. */
export function useChange(make: (account: Account) => Promise<void>): Call {
  const account = useAccount();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<Error | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    setFailure(null);
    try {
      await make(account);
    } catch (error) {
      setFailure(noteFailure(queries, account, error));
    } finally {
      setRunning(false);
    }
  };
  return { failure, isRunning, run, forget: () => setFailure(null) };
}
