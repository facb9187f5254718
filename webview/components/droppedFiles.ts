/** Returns at most `most` dropped or pasted files. Call it while handling the event, because the data is unreadable afterward. */
export function droppedFiles(
  data: DataTransfer,
  most: number,
): readonly { readonly file: File; readonly isFolder: boolean }[] {
  return [...data.items]
    .filter(({ kind }) => kind === 'file')
    .slice(0, most)
    .flatMap((item) => {
      const file = item.getAsFile();
      return file ? [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory === true }] : [];
    });
}

/** Resolves with the content as Base64. Rejects if it cannot be read, as is the case for a folder. */
export function toBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(new Error('It cannot be read.', { cause: reader.error })));
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve(address.slice(address.indexOf(',') + 1));
    });
    reader.readAsDataURL(file);
  });
}

/** Returns the bytes of Base64. */
export function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
