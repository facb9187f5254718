import { useRef } from 'preact/hooks';
import type { VideoFileAction } from '../../../src/protocol/videos';
import { Icon } from '../../components/icon';
import { createMenus, type OpenMenu } from '../../components/menu';
import type { Videos } from './videosContext';

const inSight = ['insert', 'saveAs', 'regenerate', 'vary'] as const;
const inMenu = ['openOutside', 'reveal', 'copyPath', 'showRecipe', 'remove'] as const;

interface FileActionsProps {
  readonly videos: Videos;
  readonly onAct: (action: VideoFileAction) => void;
}

/** The actions on a saved video: the most common ones as links, the rest in a menu. */
export function FileActions({ videos: { strings }, onAct }: FileActionsProps) {
  const menus = useRef<OpenMenu>(undefined);
  const hints: Readonly<Record<string, string>> = { regenerate: strings.regenerateHint, vary: strings.varyHint };
  const openMenu = (button: HTMLElement) => {
    menus.current ??= createMenus(button.closest('main') ?? document.body);
    menus.current(
      button,
      inMenu.map((action) => ({ label: strings[action], run: () => onAct(action) })),
    );
  };
  return (
    <div class="video-actions" role="group" aria-label={strings.actions}>
      {inSight.map((action) => (
        <button type="button" class="link" key={action} title={hints[action]} onClick={() => onAct(action)}>
          {strings[action]}
        </button>
      ))}
      <button
        type="button"
        class="icon-button"
        title={strings.more}
        aria-label={strings.more}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={({ currentTarget }) => openMenu(currentTarget)}
      >
        <Icon name="ellipsis" />
      </button>
    </div>
  );
}
