import { l10n } from 'vscode';
import { isApiError } from '../../core/api/errors';
import type { Voice } from '../../core/api/voices/voices.schema';
import { shortened } from '../../platform/displayText';
import type { RemoteList } from '../../services/lists/remoteList';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import type { NotedVoices } from './notedVoices';
import type { VoiceStyles } from './voices';
import { createPlayableFiles, playingFolder } from './page/playableFiles';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Asks, then deletes a voice style at the service, with its note and the playable copy of its recording; generated speech stays. */
export async function deleteVoice(voice: Voice, { services, list, notes, refused }: VoiceStyles): Promise<void> {
  const profileId = services.profiles.active?.id ?? '';
  const name = voice.customName || shortened(voice.uri);
  if (refused.has(profileId)) throw notOffered(name);
  const remove = l10n.t('Delete');
  const answer = await showMessage(
    'warning',
    l10n.t('Delete the voice style {0}?', foreign(name)),
    {
      modal: true,
      detail: l10n.t(
        'The service forgets it for good: nothing can be spoken with it any more. Your note on it goes too. Speech that was made with it stays.',
      ),
    },
    remove,
  );
  if (answer !== remove) return;
  try {
    await (await services.connections.client(profileId)).voices.delete({ uri: voice.uri });
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.kind === 'notOffered') {
      refused.add(profileId);
      throw notOffered(name);
    }
    if (!['notFound', 'badRequest'].includes(error.kind) || !(await isGone(voice.uri, list))) throw error;
    void showMessage('information', l10n.t('{0} was deleted before.', foreign(name)));
    await forget(voice.uri, services, notes);
    return;
  }
  await forget(voice.uri, services, notes);
  await list.refresh();
}

/** Deletes the note, and the playable copy of the recording. */
async function forget(uri: string, { context }: Services, notes: NotedVoices): Promise<void> {
  await notes.remove(uri);
  await createPlayableFiles(playingFolder(context)).tidySamples(await notes.samples());
}

async function isGone(uri: string, list: RemoteList<Voice>): Promise<boolean> {
  const { error, items } = await list.refresh();
  return error === undefined && !items.some((item) => item.uri === uri);
}

function notOffered(name: string): UserError {
  return new UserError(
    l10n.t('This service deletes no voice styles'),
    l10n.t(
      '{0} stays as it is. Delete it in the console of the service. After a refresh of the list it is asked again.',
      foreign(name),
    ),
  );
}
