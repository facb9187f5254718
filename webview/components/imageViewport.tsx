import type { ComponentChildren } from 'preact';
import type { ImageStage } from './imageStage';

interface ImageViewportProps {
  readonly stage: ImageStage;
  readonly label: string;
  /** Whether the stage measures this viewport: true for exactly one of several equal ones. */
  readonly isMeasured?: boolean;
  /** Handles a press that does not drag the image. If set, a double click does not zoom. */
  readonly onPress?: (event: PointerEvent) => void;
  readonly children: ComponentChildren;
}

/** Shows an image that can be zoomed and dragged. */
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
