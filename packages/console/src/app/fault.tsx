import { Component, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Nothing } from "../parts/panel.tsx";

interface FaultState {
  readonly error: Error | null;
}

/** Shows a fault of the console's own in place of an empty window. */
export class Fault extends Component<{ readonly children: ReactNode }, FaultState> {
  override readonly state: FaultState = { error: null };

  static getDerivedStateFromError(error: Error): FaultState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Nothing
        title="The console failed"
        text={`${error.message} This is a fault of the console, not of your data.`}
        actions={<Button onClick={() => location.reload()}>Load it again</Button>}
      />
    );
  }
}
