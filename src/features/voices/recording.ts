import * as l10n from '@vscode/l10n';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { env } from 'vscode';
import { readSample } from '../../core/audio/readSample';
import type { RefusedSample } from '../../core/audio/sampleFacts';
import { bytesText, numberText } from '../../platform/displayText';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { UserError } from '../../platform/errors/userError';
import { foreign } from '../../core/text/foreignText';

/** Limits of the service. https://docs.siliconflow.com/en/api-reference/audio/create-audio-transcriptions */
const mostBytes = 50_000_000;
const mostSeconds = 3600;

/** File extensions that are offered for transcription. */
export const recordingEndings = ['mp3', 'wav', 'opus', 'ogg', 'm4a', 'flac', 'webm', 'aac'];

/** Throws `UserError` for a recording that the service would reject, so that no request is sent. */
export async function checkRecording(path: string): Promise<void> {
  const name = basename(path);
  const size = await sizeOf(path);
  if (size === 0) throw new UserError(l10n.t('{0} is empty', foreign(name)), l10n.t('Choose another recording.'));
  if (size > mostBytes) {
    throw new UserError(
      l10n.t('{0} is too large', foreign(name)),
      l10n.t(
        'The recording is {0}. The limit is {1}. Shorten it, or use a smaller format.',
        bytesText(size, env.language),
        bytesText(mostBytes, env.language),
      ),
    );
  }
  const reading = await readSample({ bytes: await readFile(path), name });
  if (reading.kind === 'refused' && isNoRecording(reading.why)) {
    throw new UserError(l10n.t("{0} isn't a recording", foreign(name)), l10n.t('Choose an audio file.'));
  }
  const seconds = reading.kind === 'sample' ? (reading.facts.seconds ?? 0) : 0;
  if (seconds <= mostSeconds) return;
  throw new UserError(
    l10n.t('{0} is too long', foreign(name)),
    l10n.t(
      'The recording is {0} minutes long. The limit is {1}. Split it.',
      numberText(Math.ceil(seconds / 60), env.language),
      numberText(mostSeconds / 60, env.language),
    ),
  );
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new UserError(
      l10n.t("Couldn't read {0}", basename(path)),
      l10n.t('Check that {0} still exists. {1}', path, reasonText(error)),
    );
  }
}

/** Other audio formats and videos are left to the service to accept or refuse. */
function isNoRecording(why: RefusedSample): boolean {
  return !['otherAudio', 'video', 'damaged'].includes(why);
}
