import { fill } from './fill';
import { IconButton } from './iconButton';
import type { ImageStage } from './imageStage';
import type { ImageViewStrings } from './imageStrings';

interface ZoomBarProps {
  readonly stage: ImageStage;
  readonly strings: ImageViewStrings;
}

export function ZoomBar({ stage, strings }: ZoomBarProps) {
  const percent = Math.max(1, Math.round(stage.placement.scale * 100));
  return (
    <span class="zoom-bar">
      <IconButton icon="zoom-out" label={strings.zoomOut} onClick={() => stage.step(-1)} />
      <output class="zoom-percent">{fill(strings.zoomPercent, percent)}</output>
      <IconButton icon="zoom-in" label={strings.zoomIn} onClick={() => stage.step(1)} />
      <IconButton icon="screen-full" label={strings.zoomFit} onClick={stage.fit} />
      <IconButton icon="screen-normal" label={strings.zoomActual} onClick={stage.actual} />
    </span>
  );
}
