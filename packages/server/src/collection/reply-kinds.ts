import type { Failure, Step, VendorReply } from "./adapter.ts";

/** Whether a vendor took the request, and may bill it. */
export function isSuccess({ status }: VendorReply): boolean {
  return status >= 200 && status < 300;
}

/** Whether a failure says nothing about the task that was looked at. */
export function isOfVendor(failure: Failure): boolean {
  return failure.class === "wait" || failure.class === "stop-vendor";
}

/** Whether a failure is of what was asked: the vendor works. */
export function isOfJob({ class: failureClass }: Failure): boolean {
  return failureClass === "give-up" || failureClass === "stop-part";
}

/** Whether an unpaid request is next, such as a look at a task that the vendor works on. */
export function isOfTask(step: Step): boolean {
  return step.kind === "pending" || (step.kind === "send" && !step.request.isPaid);
}

/** How a reply is counted. */
export function resultOf(step: Step): "replied" | "failed" | "limited" {
  if (step.kind !== "failed") return "replied";
  return step.failure.class === "wait" ? "limited" : "failed";
}
