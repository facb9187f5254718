import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import { Icon } from '../../components/icon';
import { IconButton } from '../../components/iconButton';
import type { VideosSession } from './session';
import { pageNumber } from '../../components/pageLanguage';
import { pngOf } from '../../components/videoFrame';

const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];

interface PlayerBarProps {
  readonly session: VideosSession;
  /** In seconds. */
  readonly place: { readonly at: number; readonly of: number };
  readonly video: () => HTMLVideoElement | null;
  /** Saves the frame at a position; `png` is Base64. */
  readonly onFrame: (seconds: number, png: string) => void;
  /** Begins the next video with the frame. */
  readonly onFirstFrame: (seconds: number, png: string) => void;
}

const hundredths = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const inSeconds = { ...hundredths, style: 'unit', unit: 'second', unitDisplay: 'short' } as const;

/** Controls the browser's player lacks: stepping by frame, speed, loop, and saving a frame as an image. */
export function PlayerBar({ session, place, video, onFrame, onFirstFrame }: PlayerBarProps) {
  const isUnreadable = useSignal(false);
  const take = (use: (seconds: number, png: string) => void) => {
    const element = video();
    element?.pause();
    const png = element ? pngOf(element) : undefined;
    isUnreadable.value = png === undefined;
    if (element && png !== undefined) use(element.currentTime, png);
  };
  return (
    <div class="player-bar">
      <IconButton icon="chevron-left" label={l10n.t('Previous Frame')} onClick={() => stepFrame(video(), -1)} />
      <IconButton icon="chevron-right" label={l10n.t('Next Frame')} onClick={() => stepFrame(video(), 1)} />
      <span class="player-place">
        {l10n.t('{0} of {1}', pageNumber(place.at, hundredths), pageNumber(place.of, inSeconds))}
      </span>
      <label class="player-rate">
        <span class="player-rate-name">{l10n.t('Speed')}</span>
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
        {l10n.t('Loop')}
      </label>
      <span class="player-frame">
        <button type="button" class="link" onClick={() => take(onFirstFrame)}>
          <Icon name="device-camera-video" />
          {l10n.t('Use as First Frame')}
        </button>
        <button type="button" class="link" onClick={() => take(onFrame)}>
          <Icon name="device-camera" />
          {l10n.t('Save Frame as Image')}
        </button>
      </span>
      {isUnreadable.value && (
        <span class="parameter-note" role="status">
          {l10n.t("Couldn't read this frame.")}
        </span>
      )}
    </div>
  );
}

/** In seconds. Such videos have 16 to 30 frames per second. */
const frameSeconds = 1 / 24;

/** Shows the next or the previous frame. */
function stepFrame(video: HTMLVideoElement | null, step: 1 | -1): void {
  if (!video) return;
  video.pause();
  video.currentTime = Math.min(video.duration || 0, Math.max(0, video.currentTime + step * frameSeconds));
}
