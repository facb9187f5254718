import { maxImageBytes } from '../../../src/protocol/mediaBounds';
import { droppedAddresses } from '../../components/droppedAddresses';
import { toBase64 } from '../../components/droppedFiles';

type GivenPicture = { readonly uri: string } | { readonly name: string; readonly base64: string };

/**
 * The first file or address of what was dropped or pasted. A file that is too large is handed over by its name alone, for the
 * host to say so. To be called while the event is handled.
 */
export async function readImage(data: DataTransfer): Promise<GivenPicture | undefined> {
  const file = data.files[0];
  if (file) return readFile(file);
  const [uri] = droppedAddresses(data);
  return uri === undefined ? undefined : { uri };
}

async function readFile(file: File): Promise<GivenPicture> {
  const name = file.name.slice(-200) || 'picture';
  if (file.size > maxImageBytes) return { name, base64: 'tooLarge' };
  // Of a folder nothing can be read.
  return { name, base64: await toBase64(file).catch(() => '') };
}
