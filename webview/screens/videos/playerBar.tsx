import { useSignal } from '@preact/signals';
import { fill } from '../../components/fill';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import { pngOf, stepFrame } from './frame';
import type { Videos } from './videosContext';
import { pageNumber } from '../../components/pageLanguage';

const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];

interface PlayerBarProps {
  readonly videos: Videos;
  /** In seconds. */
  readonly place: { readonly at: number; readonly of: number };
  readonly video: () => HTMLVideoElement | null;
  readonly onFrame: (seconds: number, png: string) => void;
}

const hundredths = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const inSeconds = { ...hundredths, style: 'unit', unit: 'second', unitDisplay: 'short' } as const;

/** Controls the browser's player lacks: stepping by frame, speed, loop, and saving a frame as an image. */
export function PlayerBar({ videos: { session, strings }, place, video, onFrame }: PlayerBarProps) {
  const isUnreadable = useSignal(false);
  const step = (by: 1 | -1) => {
    const element = video();
    if (element) stepFrame(element, by);
  };
  const saveFrame = () => {
    const element = video();
    const png = element ? pngOf(element) : undefined;
    isUnreadable.value = png === undefined;
    if (element && png !== undefined) onFrame(element.currentTime, png);
  };
  return (
    <div class="player-bar">
      <IconButton icon="chevron-left" label={strings.stepBack} onClick={() => step(-1)} />
      <IconButton icon="chevron-right" label={strings.stepForward} onClick={() => step(1)} />
      <span class="player-place">
        {fill(strings.place, pageNumber(place.at, hundredths), pageNumber(place.of, inSeconds))}
      </span>
      <label class="player-rate">
        <span class="player-rate-name">{strings.rate}</span>
        <select
          value={String(session.rate.value)}
          onChange={({ currentTarget }) => session.setPlaying({ rate: Number(currentTarget.value) })}
        >
          {[...new Set([...rates, session.rate.value])]
            .toSorted((a, b) => a - b)
            .map((rate) => (
              <option key={rate} value={String(rate)} selected={rate === session.rate.value}>
                {rate}×
              </option>
            ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={session.loops.value}
          onChange={({ currentTarget }) => session.setPlaying({ loops: currentTarget.checked })}
        />
        {strings.loop}
      </label>
      <button type="button" class="link player-frame" onClick={saveFrame}>
        <Icon name="device-camera" />
        {strings.saveFrame}
      </button>
      {isUnreadable.value && (
        <span class="parameter-note" role="status">
          {strings.frameTrouble}
        </span>
      )}
    </div>
  );
}
