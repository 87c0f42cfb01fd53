/** Whether filters are for looking at events one by one, where they can be about more than numbers can. */
import { createContext } from 'react';

export const OfRows = createContext(false);
