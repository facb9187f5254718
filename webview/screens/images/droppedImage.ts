import { maxImageBytes } from '../../../src/protocol/mediaBounds';
import { droppedAddresses } from '../../components/droppedAddresses';
import { toBase64 } from '../../components/droppedFiles';

type GivenPicture = { readonly uri: string } | { readonly name: string; readonly base64: string };

/**
 * Reads the first dropped or pasted file or URL. Of a file that is too large only the name is passed on, so that the host reports
 * it. Call it while handling the event.
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
  // A folder cannot be read.
  return { name, base64: await toBase64(file).catch(() => '') };
}
