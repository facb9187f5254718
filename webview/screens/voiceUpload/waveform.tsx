import { fill } from '../../components/fill';
import type { Player } from './player';
import type { Upload } from './uploadContext';
import { pageNumber } from '../../components/pageLanguage';

/** Minimum height of a bar, so that silence is visible as silence. */
const leastHeight = 2;
const height = 64;

interface WaveformProps {
  readonly upload: Upload;
  /** From 0 to 1, from left to right; empty until known. */
  readonly peaks: readonly number[];
}

const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** The waveform of the recording with the playback position; clicking, dragging and keys seek. */
export function Waveform({ upload: { session, strings }, peaks }: WaveformProps) {
  const { player } = session;
  const at = player.at.value;
  const length = player.length.value;
  const part = length === 0 ? 0 : Math.min(1, at / length);
  const text = fill(strings.positionText, pageNumber(at, tenths), pageNumber(length, tenths));
  const bars = barsOf(peaks);
  return (
    <div
      class="waveform"
      role="slider"
      tabIndex={0}
      aria-label={strings.position}
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
