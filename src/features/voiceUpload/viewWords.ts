import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { SampleFacts, SampleFormat } from '../../core/audio/sampleFacts';
import { bytesText, numberText } from '../../platform/displayText';
import { voiceBounds } from '../../protocol/mediaBounds';
import { mostDrawnBytes } from '../../protocol/voiceUpload';
import type { VoiceUploadFact, VoiceUploadSample } from '../../protocol/voiceUpload';
import { kiloText, secondsText } from './findingWords';
import type { ShownSample } from './sampleController';

const language = () => vscode.env.language;

const formats: { readonly [Format in SampleFormat]: string } = {
  mp3: 'MP3',
  wav: 'WAV',
  opus: 'Ogg Opus',
  ogg: 'Ogg',
  pcm: 'PCM',
};

/** `toUri`: returns the URI from which the page plays a file. */
export function sampleView(
  { name, kept, facts, soundId }: ShownSample,
  file: string | undefined,
  toUri: (file: string) => string,
): VoiceUploadSample {
  const isRaw = facts.format === 'pcm';
  const isHeard = !isRaw || facts.sampleRate !== undefined;
  return {
    name,
    place: file === undefined ? l10n.t('Dropped; its folder is not known') : vscode.workspace.asRelativePath(file),
    facts: factsOf(facts),
    soundId,
    isRaw,
    ...(isHeard && { playUri: toUri(isRaw ? kept.playPath : kept.path) }),
    ...(facts.bytes > mostDrawnBytes && {
      notDrawn: l10n.t('Files over {0} are played, but not drawn.', bytesText(mostDrawnBytes, language())),
    }),
    ...(facts.sampleRate !== undefined && { sampleRate: facts.sampleRate }),
  };
}

function factsOf(facts: SampleFacts): readonly VoiceUploadFact[] {
  const { seconds, sampleRate, channels, bitsPerSecond, bytes } = facts;
  return [
    { label: l10n.t('Format'), value: formatText(facts) },
    ...(seconds === undefined ? [] : [{ label: l10n.t('Length'), value: secondsText(seconds) }]),
    ...(sampleRate === undefined ? [] : [{ label: l10n.t('Sample rate'), value: kiloText(sampleRate, 'Hz') }]),
    ...(channels === undefined ? [] : [{ label: l10n.t('Channels'), value: channelText(channels) }]),
    ...(bitsPerSecond === undefined ? [] : [{ label: l10n.t('Bit rate'), value: kiloText(bitsPerSecond, 'bit/s') }]),
    {
      label: l10n.t('Size'),
      value: bytesText(bytes, language()),
      title: l10n.t('{0} bytes', numberText(bytes, language())),
    },
  ];
}

function formatText({ format, codec }: SampleFacts): string {
  if (format === 'ogg') return `${formats.ogg} (${codec})`;
  const bits = /^pcm-([suf])(\d+)/.exec(codec);
  if (bits === null) return format === 'wav' ? `${formats.wav} (${codec})` : formats[format];
  return bits[1] === 'f'
    ? l10n.t('{0}, {1} bit float', formats[format], bits[2] ?? '')
    : l10n.t('{0}, {1} bit', formats[format], bits[2] ?? '');
}

function channelText(channels: number): string {
  if (channels === 1) return l10n.t('mono');
  return channels === 2 ? l10n.t('stereo') : numberText(channels, language());
}

/** Returns the default name of a voice: the file name, limited to what a voice name may contain. */
export function suggestedName(fileName: string): string {
  const plain = path
    .parse(fileName)
    .name.normalize('NFC')
    .replaceAll(/[\s:]+/g, '-');
  return Array.from(plain).slice(0, voiceBounds.name).join('');
}
