import * as l10n from '@vscode/l10n';
import { useSignal } from '@preact/signals';
import type { Ref } from 'preact';

export interface PlayerProps {
  readonly src: string;
  readonly label: string;
  /** Absent if the sound cannot be opened in another program. */
  readonly openOutside?: () => void;
  readonly element?: Ref<HTMLAudioElement>;
}

/** Plays a local file. Before playback only its metadata is loaded, because a page may show many players. */
export function Player({ src, label, openOutside, element }: PlayerProps) {
  const broken = useSignal('');
  if (src === '' || broken.value === src) {
    return (
      <span class="voice-muted">
        {l10n.t("VS Code can't play this file.")}{' '}
        {openOutside && (
          <button type="button" class="link" onClick={openOutside}>
            {l10n.t('Open Externally')}
          </button>
        )}
      </span>
    );
  }
  return (
    <audio
      class="voice-player"
      controls
      preload="metadata"
      src={src}
      aria-label={label}
      ref={element ?? null}
      onError={() => (broken.value = src)}
      onPlay={({ currentTarget }) => pauseOthers(currentTarget)}
    />
  );
}

/** Pauses all other players, so that only one plays at a time. */
function pauseOthers(playing: HTMLAudioElement): void {
  for (const other of document.querySelectorAll('audio')) if (other !== playing) other.pause();
}
