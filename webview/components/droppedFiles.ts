/** Files that were dropped or pasted, at most so many. To be called while the event is handled: they are gone afterwards. */
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

/** What it holds. Rejects where it cannot be read, as a folder cannot. */
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
