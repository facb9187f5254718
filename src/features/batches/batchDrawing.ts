import type { BatchRow } from '../../platform/batchRow';
import type { RowDrawing } from '../../platform/listView';
import { batchDetails } from './batchDetails';
import { batchTooltip, toBatchItem } from './batchItem';

export const batchDrawing: RowDrawing<BatchRow> = {
  toItem: toBatchItem,
  tooltipOf: batchTooltip,
  detailsOf: batchDetails,
};
