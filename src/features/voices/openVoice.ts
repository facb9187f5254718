import type { Voice } from '../../core/api/voices/voices.schema';
import { startModel, toMediaStart } from '../../services/media/mediaStart';
import type { RemoteList } from '../../services/lists/remoteList';
import type { Services } from '../../services/services';
import type { VoicePanels } from './page/voicePanels';
import { pickVoice } from './pickVoice';

export interface OpeningVoice {
  readonly services: Services;
  readonly list: RemoteList<Voice>;
  readonly panels: () => Promise<VoicePanels>;
}

/** Opens the voice with a URI, or the one that spoke a file; otherwise asks, offering only voices of the requested model, if any. */
export async function openVoice(what: unknown, { services, list, panels }: OpeningVoice): Promise<void> {
  const start = toMediaStart(what);
  if (start && 'path' in start) {
    const asset = await services.media.assets.read(start.path);
    if (asset) await (await panels()).openTake(asset, start.as);
    return;
  }
  const uri = typeof what === 'string' && what !== '' ? what : await pickVoice(list, services.models, startModel(what));
  if (uri !== undefined) (await panels()).open(uri);
}
