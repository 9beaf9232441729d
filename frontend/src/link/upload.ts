import type { Link } from "./signature";
import { KernelError } from "./kernelError";
import { ulid } from "./ulid";

/** uploadPackage sends a file in chunks and resolves with the id that reviewInstall takes. */
export async function uploadPackage(link: Link, file: Blob, onProgress?: (sent: number, total: number) => void): Promise<string> {
  const chunk = link.limit("uploadChunk", 1 << 20);
  const max = link.limit("packageBytes", 128 << 20);
  if (file.size > max) throw new KernelError("PACKAGE_TOO_LARGE", link.text("PACKAGE_TOO_LARGE"));
  const uploadId = ulid();
  let offset = 0;
  do {
    // Reading a slice at a time keeps one chunk in memory, whatever the file's size.
    const data = new Uint8Array(await file.slice(offset, offset + chunk).arrayBuffer());
    const last = offset + data.length >= file.size;
    if (!link.send({ case: "uploadChunk", value: { uploadId, offset: BigInt(offset), data, last } })) {
      throw new KernelError("CANCELLED", "The connection to Neutron was lost.");
    }
    offset += data.length;
    onProgress?.(offset, file.size);
  } while (offset < file.size);
  return uploadId;
}
