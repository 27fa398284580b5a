/** Whether the service goes on. */
export interface Lifecycle {
  /** True from the moment that it was told to stop. */
  stopping: boolean;
}
