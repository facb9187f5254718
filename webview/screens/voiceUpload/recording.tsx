import * as l10n from '@vscode/l10n';
import { pcmRates } from '../../../src/protocol/mediaBounds';
import type { VoiceUploadSample, VoiceUploadView } from '../../../src/protocol/voiceUpload';
import { Note } from '../../components/note';
import { SendFacts } from '../../components/sendFacts';
import type { UploadSession } from './session';
import type { Player } from './sound';
import { pageNumber } from '../../components/pageLanguage';

interface RecordingProps {
  readonly session: UploadSession;
  readonly view: VoiceUploadView;
}

/** The recording: its facts, waveform and player. If it cannot be read, the error. */
export function Recording({ session, view }: RecordingProps) {
  const { sample, error } = view;
  if (view.state === 'reading') return <p class="send-muted send-section">{l10n.t('Loading file…')}</p>;
  if (error) {
    const actions = [...error.actions, { id: 'choose', label: l10n.t('Choose Another File') }];
    const onAct = (id: string) => void (id === 'choose' ? session.ask('voiceUpload/choose', {}) : session.act(id));
    return <Note tone="error" title={error.title} detail={error.detail} actions={actions} onAct={onAct} />;
  }
  if (!sample) return null;
  return (
    <section class="send-section" aria-label={l10n.t('Recording details')}>
      <SendFacts class="sample-facts" facts={sample.facts} />
      {sample.isRaw && <PcmRate session={session} />}
      {sample.playUri !== undefined && <Listen session={session} sample={sample} />}
    </section>
  );
}

interface ListenProps {
  readonly session: UploadSession;
  readonly sample: VoiceUploadSample;
}

function Listen({ session, sample }: ListenProps) {
  const drawing = session.sound.drawing.value;
  const hint =
    sample.notDrawn ??
    (drawing.kind === 'broken'
      ? l10n.t('No waveform for this file. You can still upload it.')
      : session.player.isBroken.value
        ? l10n.t("VS Code can't play this file.")
        : undefined);
  return (
    <>
      {(drawing.kind === 'drawn' || drawing.kind === 'loading') && (
        <Waveform session={session} peaks={drawing.kind === 'drawn' ? drawing.peaks : []} />
      )}
      {drawing.kind === 'loading' && <span class="spoken">{l10n.t('Loading…')}</span>}
      <audio
        class="sample-audio"
        controls
        controlsList="nodownload noplaybackrate"
        preload="metadata"
        aria-label={l10n.t('Recording')}
        src={session.sound.uri.value}
        ref={session.player.attach}
      />
      {hint && <p class="send-hint">{hint}</p>}
    </>
  );
}

/** Raw samples have no sample rate. */
function PcmRate({ session }: { readonly session: UploadSession }) {
  return (
    <div class="send-field sample-rate">
      <label for="pcm-rate">{l10n.t('Sample rate')}</label>
      <select
        id="pcm-rate"
        class="parameter-input"
        value={String(session.form.value.pcmRate)}
        aria-describedby="pcm-rate-about"
        onChange={({ currentTarget }) =>
          session.change({ pcmRate: pcmRates.find((rate) => String(rate) === currentTarget.value) ?? 0 })
        }
      >
        <option value="0">{l10n.t('Unknown')}</option>
        {pcmRates.map((rate) => (
          <option value={String(rate)} key={rate}>
            {l10n.t('{0} Hz', pageNumber(rate))}
          </option>
        ))}
      </select>
      <span id="pcm-rate-about" class="send-hint">
        {l10n.t('Used only to play and check the recording.')}
      </span>
    </div>
  );
}

/** Minimum height of a bar, so that silence is visible as silence. */
const leastHeight = 2;
const height = 64;

interface WaveformProps {
  readonly session: UploadSession;
  /** From 0 to 1, from left to right; empty until known. */
  readonly peaks: readonly number[];
}

const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** The waveform of the recording with the playback position; clicking, dragging and keys seek. */
function Waveform({ session, peaks }: WaveformProps) {
  const { player } = session;
  const at = player.at.value;
  const length = player.length.value;
  const part = length === 0 ? 0 : Math.min(1, at / length);
  const text = l10n.t('{0} of {1} seconds', pageNumber(at, tenths), pageNumber(length, tenths));
  const bars = barsOf(peaks);
  return (
    <div
      class="waveform"
      role="slider"
      tabIndex={0}
      aria-label={l10n.t('Position in the recording')}
      aria-valuemax={length}
      aria-valuenow={at}
      aria-valuetext={text}
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey && player.onKey(event.key)) event.preventDefault();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event, player);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekTo(event, player)}
    >
      <svg viewBox={`0 0 ${Math.max(1, peaks.length)} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="waveform-bars" d={bars} />
        <svg width={peaks.length * part} height={height} overflow="hidden">
          <path class="waveform-bars waveform-played" d={bars} />
        </svg>
      </svg>
      <span class="waveform-place" style={{ left: `${part * 100}%` }} />
    </div>
  );
}

/** Time runs from left to right, even where text does not. */
function seekTo({ clientX, currentTarget }: { clientX: number; currentTarget: HTMLElement }, player: Player): void {
  const { left, width } = currentTarget.getBoundingClientRect();
  player.seek(((clientX - left) / Math.max(1, width)) * player.length.value);
}

function barsOf(peaks: readonly number[]): string {
  return peaks
    .map((peak, at) => {
      const tall = Math.max(leastHeight, peak * height);
      return `M${at + 0.15} ${((height - tall) / 2).toFixed(1)}h.7v${tall.toFixed(1)}h-.7z`;
    })
    .join('');
}
