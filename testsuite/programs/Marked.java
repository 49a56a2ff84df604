/* SPDX-License-Identifier: GPL-2.0 */
import java.util.ArrayList;
import java.util.List;

/*
 * java Marked gc: makes garbage, and has it collected.
 * java Marked locks N: a thread waits N times for a monitor that another one has; it prints the nanoseconds
 * for which it was held while the thread waited.
 */
class Marked {
	static class Shared { }

	static final Shared shared = new Shared();
	static List<byte[]> kept = new ArrayList<>();

	static void garbage() {
		for (int i = 0; i < 2000; i++) {
			byte[] some = new byte[64 << 10];
			if (i % 50 == 0)
				kept.add(some);
		}
		System.gc();
		kept = new ArrayList<>();
		System.gc();
	}

	static void waits() {
		synchronized (shared) {
			kept.clear();
		}
	}

	static void locks(int times) throws InterruptedException {
		long held = 0;
		for (int i = 0; i < times; i++) {
			Thread other = new Thread(Marked::waits);
			synchronized (shared) {
				other.start();
				while (other.getState() != Thread.State.BLOCKED)
					Thread.sleep(1);
				long from = System.nanoTime();
				Thread.sleep(2);
				held += System.nanoTime() - from;
			}
			other.join();
		}
		System.out.println(held);
	}

	public static void main(String[] args) throws InterruptedException {
		if (args[0].equals("gc"))
			garbage();
		else
			locks(Integer.parseInt(args[1]));
	}
}
