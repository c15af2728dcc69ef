// A whole bot in Go that does what programs do: goroutines that tell one another over channels, a map, timers, the
// garbage collector, a file of its own, a panic that is recovered. It answers each decision with the legal action that
// its goroutines agree on.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

const voters = 16

type field struct {
	number, value uint64
	bytes         []byte
}

func fields(message []byte) (found []field) {
	for len(message) > 0 {
		key, size := binary.Uvarint(message)
		message = message[size:]
		one := field{number: key >> 3}
		length := uint64(0)
		switch key & 7 {
		case 0:
			one.value, size = binary.Uvarint(message)
			message = message[size:]
		case 1:
			length = 8
		case 2:
			length, size = binary.Uvarint(message)
			message = message[size:]
		default:
			length = 4
		}
		one.bytes, message = message[:length], message[length:]
		found = append(found, one)
	}
	return found
}

func put(out []byte, value uint64) []byte {
	var room [binary.MaxVarintLen64]byte
	return append(out, room[:binary.PutUvarint(room[:], value)]...)
}

func putBytes(out []byte, number uint64, bytes []byte) []byte {
	return append(put(put(out, number<<3|2), uint64(len(bytes))), bytes...)
}

func writeRequest(member uint64, message []byte) {
	request := putBytes(nil, member, message)
	_, err := os.Stdout.Write(append(put(nil, uint64(len(request))), request...))
	need(err)
}

func need(err error) {
	if err != nil {
		panic(err)
	}
}

func agreed(codes []uint64) uint64 {
	within, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var wait sync.WaitGroup
	var lock sync.Mutex
	counted := map[uint64]int{}
	votes := make(chan uint64)
	for number := 0; number < voters; number++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			time.Sleep(time.Duration(rand.Intn(50)) * time.Microsecond)
			lock.Lock()
			counted[codes[0]]++
			lock.Unlock()
			votes <- codes[0]
		}()
	}
	for number := 0; number < voters; number++ {
		select {
		case <-votes:
		case <-within.Done():
			panic("no vote")
		}
	}
	wait.Wait()
	if counted[codes[0]] != voters {
		panic(fmt.Sprint(counted))
	}
	return codes[0]
}

func answer(decision []byte) {
	var id []byte
	var number uint64
	var codes []uint64
	for _, one := range fields(decision) {
		switch one.number {
		case 1:
			id = one.bytes
		case 2:
			number = one.value
		case 4:
			code := uint64(0)
			for _, part := range fields(one.bytes) {
				if part.number == 1 {
					code = part.value
				}
			}
			codes = append(codes, code)
		}
	}
	message := putBytes(nil, 1, id)
	message = put(put(message, 2<<3), number)
	message = put(put(message, 3<<3), agreed(codes))
	writeRequest(2, message)
}

func useEverything() {
	file := filepath.Join(os.TempDir(), "notes")
	need(os.WriteFile(file, []byte("a note"), 0o600))
	read, err := os.ReadFile(file)
	need(err)
	entries, err := os.ReadDir(os.TempDir())
	need(err)
	if string(read) != "a note" || len(entries) != 1 {
		panic("another note")
	}
	need(os.Remove(file))
	reader, writer, err := os.Pipe()
	need(err)
	go func() {
		time.Sleep(time.Millisecond)
		writer.Close()
	}()
	_, err = io.ReadAll(reader)
	need(err)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	signal.Stop(signals)
	func() {
		defer func() {
			if recover() == nil {
				panic("nothing was recovered")
			}
		}()
		var nowhere *field
		nowhere.value = 1
	}()
	kept := [][]byte{}
	for turn := 0; turn < 64; turn++ {
		kept = append(kept[:turn%8], make([]byte, 1<<18))
	}
	runtime.GC()
	debug.FreeOSMemory()
	spun := make(chan bool)
	go func() {
		for until := time.Now().Add(30 * time.Millisecond); time.Now().Before(until); {
		}
		close(spun)
	}()
	<-spun
	if runtime.NumCPU() < 1 || len(os.Args) != 1 || len(kept) == 0 {
		panic("where is this")
	}
}

func main() {
	useEverything()
	writeRequest(1, []byte{1 << 3, 1})
	input := bufio.NewReader(os.Stdin)
	for {
		length, err := binary.ReadUvarint(input)
		if err == io.EOF {
			return
		}
		need(err)
		message := make([]byte, length)
		_, err = io.ReadFull(input, message)
		need(err)
		for _, one := range fields(message) {
			switch one.number {
			case 3:
				answer(one.bytes)
			case 7:
				return
			}
		}
	}
}
