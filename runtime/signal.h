/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRT_SIGNAL_H
#define PRT_SIGNAL_H

/** prt_signals_send - have the signals sent that handlers raised for this task. Any context. */
void prt_signals_send(void);
/** prt_signals_end - wait until all signals are sent. No handler runs any more; process context. */
void prt_signals_end(void);

#endif
