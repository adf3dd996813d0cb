# Goes on without its first thread: 64 MiB of memory, and 3 MiB in a file that no directory names.
import ctypes, mmap, os, platform, threading, time


def work():
    memory = mmap.mmap(-1, 64 << 20)
    for offset in range(0, len(memory), 4096):
        memory[offset] = 1
    with open("unnamed", "wb") as file:
        os.unlink("unnamed")
        file.write(b"\1" * (3 << 20))
        file.flush()
        while open(f"/proc/self/task/{os.getpid()}/stat").read().rpartition(")")[2].split()[0] != "Z":
            time.sleep(0.01)
        print("alone", flush=True)
        time.sleep(600)


threading.Thread(target=work).start()
exit_thread = {"x86_64": 60, "aarch64": 93}[platform.machine()]
ctypes.CDLL(None).syscall(exit_thread, 0)
