import { maxImageBytes } from '../../../src/protocol/mediaBounds';
import type { ProvidedImage } from '../../../src/protocol/videos';
import { droppedAddresses } from '../../components/droppedAddresses';
import { droppedFiles, toBase64 } from '../../components/droppedFiles';

export interface ProvidedImages {
  readonly uris: readonly string[];
  readonly pictures: readonly ProvidedImage[];
}

/** One more than allowed, so that the host notices when there are more. */
const most = 2;

/** Returns the URLs if there are any, else the contents of the files. Call it while handling the event. */
export async function readImages(data: DataTransfer): Promise<ProvidedImages> {
  const uris = droppedAddresses(data);
  if (uris.length > 0) return { uris: uris.slice(0, most), pictures: [] };
  const files = droppedFiles(data, most);
  return { uris: [], pictures: await Promise.all(files.map(({ file, isFolder }) => readPicture(file, isFolder))) };
}

async function readPicture(file: File, isFolder: boolean): Promise<ProvidedImage> {
  const name = file.name.slice(-300) || '?';
  if (isFolder) return { name, problem: 'folder' };
  if (file.size > maxImageBytes) return { name, problem: 'tooLarge' };
  try {
    return { name, base64: await toBase64(file) };
  } catch {
    return { name, problem: 'unreadable' };
  }
}
