import { env, l10n } from 'vscode';
import { leastGoodRate } from '../../core/audio/sampleFindings';
import type { Finding, FindingCode } from '../../core/audio/sampleFindings';
import { durationText, numberFormat } from '../../protocol/formats';
import type { VoiceUploadFinding } from '../../protocol/voiceUpload';

export function findingView({ code, severity, values }: Finding): VoiceUploadFinding {
  return { severity, text: words[code](values) };
}

/** For example "8.2 sec"; whole seconds if the value is only approximate. */
export function secondsText(seconds: number, isExact = true): string {
  return durationText(seconds * 1000, env.language, isExact ? 'measured' : undefined);
}

export function kiloText(value: number, unit: 'Hz' | 'bit/s'): string {
  const thousands = numberFormat(env.language, { maximumFractionDigits: unit === 'Hz' ? 2 : 0 }).format(value / 1000);
  return unit === 'Hz' ? l10n.t('{0} kHz', thousands) : l10n.t('{0} kbit/s', thousands);
}

function percent(part: number): string {
  return numberFormat(env.language, { style: 'percent', maximumFractionDigits: part < 0.1 ? 1 : 0 }).format(part);
}

const words: { readonly [Code in FindingCode]: (values: readonly number[]) => string } = {
  'duration.tooLong': ([seconds = 0, most = 0]) =>
    l10n.t(
      'It lasts {0}; a sample has to last less than {1}. Cut it to 8 to 10 seconds.',
      secondsText(seconds),
      secondsText(most),
    ),
  'duration.none': () => l10n.t('It holds no sound.'),
  'duration.advised': ([seconds = 0, from = 0, to = 0]) =>
    l10n.t('It lasts {0}. The service advises {1} to {2}.', secondsText(seconds), String(from), secondsText(to)),
  'format.ogg': () => l10n.t('It is Ogg, but not Opus: the service names MP3, WAV, PCM and Opus. It may be refused.'),
  'pcm.rateUnknown': () =>
    l10n.t(
      'Raw samples tell nothing of themselves. Say their sample rate to hear and check them; they are sent as they are.',
    ),
  'pcm.assumed': () => l10n.t('Raw samples: read as 16 bit, one channel. They are sent as they are.'),
  'channels.many': ([channels = 0]) =>
    channels === 2
      ? l10n.t('It is stereo. Only one speaker may be heard; one channel is enough.')
      : l10n.t('It has {0} channels. Only one speaker may be heard; one channel is enough.', channels),
  'rate.low': ([rate = 0]) =>
    l10n.t(
      'Its sample rate is {0}: below {1} much of a voice is lost.',
      kiloText(rate, 'Hz'),
      kiloText(leastGoodRate, 'Hz'),
    ),
  'bits.low': ([bits = 0, advised = 0]) =>
    l10n.t(
      'Its bit rate is {0}. The service advises at least {1} for MP3.',
      kiloText(bits, 'bit/s'),
      kiloText(advised, 'bit/s'),
    ),
  'text.tooMuch': ([text = 0, seconds = 0]) =>
    l10n.t(
      'The text has about {0} of words, the sample lasts {1}. It has to be what is said, word for word.',
      secondsText(text, false),
      secondsText(seconds),
    ),
  'text.tooLittle': ([text = 0, seconds = 0]) =>
    l10n.t(
      'The text has only about {0} of words, the sample lasts {1}. It has to be all that is said, word for word.',
      secondsText(text, false),
      secondsText(seconds),
    ),
  'level.silent': () => l10n.t('Nothing can be heard in it.'),
  'level.quiet': () => l10n.t('It is very quiet. Record it closer to the microphone, or make it louder.'),
  'level.clipped': ([part = 0]) =>
    l10n.t('It is too loud: {0} of it is cut off at full scale and crackles.', percent(part)),
  'level.pauses': ([part = 0]) => l10n.t('{0} of it is silence. Cut the pauses away.', percent(part)),
};
