import * as l10n from '@vscode/l10n';
import { IconButton } from './iconButton';
import type { ImageStage } from './imageStage';
import { pageNumber } from './pageLanguage';

interface ZoomBarProps {
  readonly stage: ImageStage;
}

export function ZoomBar({ stage }: ZoomBarProps) {
  const percent = Math.max(1, Math.round(stage.placement.scale * 100));
  return (
    <span class="zoom-bar">
      <IconButton icon="zoom-out" label={l10n.t('Zoom Out (-)')} onClick={() => stage.step(-1)} />
      <output class="zoom-percent">{l10n.t('{0}%', pageNumber(percent))}</output>
      <IconButton icon="zoom-in" label={l10n.t('Zoom In (+)')} onClick={() => stage.step(1)} />
      <IconButton icon="screen-full" label={l10n.t('Fit (0)')} onClick={stage.fit} />
      <IconButton icon="screen-normal" label={l10n.t('Actual Size (1)')} onClick={stage.actual} />
    </span>
  );
}
