import type { ComponentChildren } from 'preact';
import type { ImageStage } from './imageStage';

interface ImageViewportProps {
  readonly stage: ImageStage;
  readonly label: string;
  /** Its size is the stage's: of several alike, of one. */
  readonly isMeasured?: boolean;
  /** What a press does that does not drag the picture. Where there is such, a double click does not zoom. */
  readonly onPress?: (event: PointerEvent) => void;
  readonly children: ComponentChildren;
}

/** Where a picture lies, to be zoomed and dragged. */
export function ImageViewport({ stage, label, isMeasured = true, onPress, children }: ImageViewportProps) {
  return (
    <div
      {...(isMeasured && { ref: stage.room })}
      class="picture-room"
      role="group"
      aria-label={label}
      tabIndex={0}
      data-pans={stage.pans.x || stage.pans.y}
      onWheel={stage.onWheel}
      onPointerDown={(event) => stage.drag(event) || onPress?.(event)}
      onDblClick={onPress ? undefined : stage.onDoubleClick}
    >
      {children}
    </div>
  );
}
