import { randomUUID } from 'node:crypto';
import { measureFile } from './fileBody';
import type { FileContent } from './fileBody';
import type { StreamedBody, UploadFile, UploadParts } from './transport';

export interface MultipartBody {
  /** Includes the boundary, for the `content-type` header. */
  readonly contentType: string;
  readonly body: StreamedBody;
}

/**
 * Builds a form manually (RFC 7578), so that its exact length is known and a file is never held in memory. Progress counts bytes of the
 * entire form as the stack accepts them, and restarts when the body is reopened. Rejects with kind `file` if the file can't be read, as
 * does the body if the file has changed since it was measured here.
 */
export async function multipartBody(parts: UploadParts, boundary: string = newBoundary()): Promise<MultipartBody> {
  const { fields, file, onProgress } = parts;
  const preamble = Buffer.from(
    Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`)
      .join('') + fileHeader(file, boundary),
  );
  const epilogue = Buffer.from(`\r\n--${boundary}--\r\n`);
  const content = await measure(file.source);
  const contentLength = preamble.length + content.size + epilogue.length;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      contentLength,
      async *open() {
        let accepted = 0;
        for await (const chunk of joined(preamble, content.read(), epilogue)) {
          yield chunk;
          accepted += chunk.length;
          onProgress?.(accepted, contentLength);
        }
      },
    },
  };
}

function newBoundary(): string {
  return `----inferenceDesk${randomUUID().replaceAll('-', '')}`;
}

function fileHeader({ field, filename, contentType }: UploadFile, boundary: string): string {
  const type = contentType.replace(/[^\x20-\x7e]/g, '');
  return `--${boundary}\r\n${disposition(field)}; filename="${quoted(filename)}"\r\nContent-Type: ${type}\r\n\r\n`;
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quoted(name)}"`;
}

/** Encodes as browsers do: UTF-8 unchanged, with the three characters escaped that would end the value or the line. */
function quoted(value: string): string {
  return value.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

async function* joined(before: Uint8Array, content: AsyncIterable<Uint8Array>, after: Uint8Array) {
  yield before;
  yield* content;
  yield after;
}

async function measure(source: UploadFile['source']): Promise<FileContent> {
  if ('path' in source) return measureFile(source.path);
  const { bytes } = source;
  return {
    size: bytes.length,
    async *read() {
      yield bytes;
    },
  };
}
