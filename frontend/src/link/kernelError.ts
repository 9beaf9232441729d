/** KernelError is a coded failure that the kernel, or the link itself, answered with. */
export class KernelError extends Error {
  override readonly name = "KernelError";
  constructor(
    /** code is a name of kernel/fault. */
    readonly code: string,
    message: string,
    /** retryAfterMs is 0 when the kernel named no delay. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}
