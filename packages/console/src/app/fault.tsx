import { Component, type ReactNode } from "react";
import { forgetFailures, PartError } from "../data/later.ts";
import { loadAgain } from "../data/leaving.ts";
import { Button } from "../parts/button.tsx";
import { Nothing } from "../parts/panel.tsx";
import { announce } from "../parts/save.ts";

interface FaultProps {
  readonly children: ReactNode;
  /** Given: the fault is said in passing, nothing stands in for what failed, and this is called. */
  readonly onPassing?: () => void;
}

interface FaultState {
  readonly error: Error | null;
}

/**
 * Shows what failed below it in its own place, and leaves the rest of the console alone: a fault of
 * the console's, or a part of it that could not be fetched.
 */
export class Fault extends Component<FaultProps, FaultState> {
  override readonly state: FaultState = { error: null };

  static getDerivedStateFromError(error: Error): FaultState {
    return { error };
  }

  override componentDidCatch(error: Error): void {
    const { onPassing } = this.props;
    if (onPassing === undefined) return;
    announce(error instanceof PartError ? error.message : `The console failed: ${error.message}`);
    onPassing();
    this.#again();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (this.props.onPassing !== undefined) return null;
    if (!(error instanceof PartError)) return failure(error);
    return (
      <Nothing
        title={error.isOutdated ? "A new version is available" : "This page could not be fetched"}
        text={`${error.message} ${kept}`}
        actions={
          error.isOutdated ? (
            <Button kind="primary" onClick={loadAgain}>
              Load the new version
            </Button>
          ) : (
            <Button onClick={() => this.#again()}>Try again</Button>
          )
        }
      />
    );
  }

  #again(): void {
    forgetFailures();
    this.setState({ error: null });
  }
}

const kept = "Unsaved edits are kept.";

function failure({ message }: Error): ReactNode {
  return (
    <Nothing
      title="The console failed"
      text={`${message} This is a fault of the console, not of your data. ${kept}`}
      actions={<Button onClick={loadAgain}>Load it again</Button>}
    />
  );
}
