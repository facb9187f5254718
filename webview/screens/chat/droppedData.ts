import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles } from '../../components/droppedFiles';
import { type DroppedFile, maxAttachedCharacters } from '../../../src/protocol/chatOffers';

/** More than one question accepts; the host then reports that. */
const maxDropped = 25;

/** Returns the dropped URLs if there are any, else the contents of the dropped files. Call it while handling the drop. */
export async function readDropped(
  data: DataTransfer,
): Promise<{ readonly uris: readonly string[]; readonly files: readonly DroppedFile[] }> {
  const uris = droppedAddresses(data);
  if (uris.length > 0) return { uris: uris.slice(0, maxDropped), files: [] };
  const files = droppedFiles(data, maxDropped);
  return { uris: [], files: await Promise.all(files.map(({ file, isFolder }) => readDroppedFile(file, isFolder))) };
}

async function readDroppedFile(file: File, isFolder: boolean): Promise<DroppedFile> {
  const name = file.name.slice(-300) || '?';
  if (isFolder) return { name, trouble: 'folder' };
  // A character takes at most four bytes.
  if (file.size > maxAttachedCharacters * 4) return { name, trouble: 'tooLong' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.length > maxAttachedCharacters ? { name, trouble: 'tooLong' } : { name, text };
  } catch {
    return { name, trouble: 'notText' };
  }
}
